type Members = readonly (readonly [string, unknown])[];

/** An example of a body in its flat query form: members of members by their own names, lists as they are. */
export function flatExample(example: unknown): Members {
  return Object.entries(example ?? {}).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatExample(value)
      : [[name, value] as const],
  );
}
