/** A row of ATTRIBUTE_TABLE in property-attributes.ts. */
export interface AttributeDefinition<Key extends string = string> {
  readonly key: Key;
  /** Its column in the tables `sales`, `rents` and `parcels`. */
  readonly column: string;
  /** Its column in imported files, where that has another name. */
  readonly importColumn?: string;
  /** How a cell of an imported file is read. A `positive` amount of 0 means unknown. */
  readonly cell: 'amount' | 'positive' | 'yes_no' | 'condition';
  /** Used if neither request nor record has it. Other attributes are then imputed from similar homes. */
  readonly defaultValue?: number;
  /** Imputed as the mean of the donors. All others take the donors' most common value. */
  readonly isAveraged?: true;
  /** Known in most markets, so that every baseline model uses it. */
  readonly isCommon?: true;
}

/** One member of `property_fields`, or of one of the `units` of a rental request. */
export interface RequestField<Key extends string = string> {
  /** Its name in code: an attribute, `propertyType`, `isFurnished` or `hasParking`. */
  readonly key: Key;
  /** Its name on the wire. */
  readonly name: string;
  /** `condition` is a number from 0 (unknown) to 5 on the wire, and a choice in the console. */
  readonly type: 'integer' | 'number' | 'boolean' | 'choice' | 'condition';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isRequired?: true;
  /** In the console. */
  readonly label: string;
  /** In the API's description. */
  readonly description: string;
  readonly whenOmitted?: string;
  readonly default?: boolean;
  /** Other names that requests may use. */
  readonly aliases?: readonly string[];
  /** Other headings that its column may have in an uploaded file, separated by commas. */
  readonly headings?: string;
  readonly unit?: 'sq ft';
  /** Step of the console's number input. */
  readonly step?: number;
  /** Where the API accepts less: the smallest number that the console accepts. */
  readonly formMinimum?: number;
  /** Where the API has no limit: the largest number that the console accepts, to catch typing errors. */
  readonly formMaximum?: number;
  readonly hasSlider?: true;
}

type FieldValue<Field extends RequestField> = Field extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Field['type'] extends 'boolean'
    ? boolean
    : number;

/** The JSON object that a list of fields describes. */
export type FieldValues<Fields extends readonly RequestField[]> = {
  [Field in Fields[number] as Field extends { isRequired: true } ? Field['name'] : never]: FieldValue<Field>;
} & {
  [
    Field in Fields[number] as Field extends { isRequired: true } ? never : Field['name']
  ]?: FieldValue<Field> | null;
};
