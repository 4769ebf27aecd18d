type Members = readonly (readonly [string, unknown])[];

/** The example of a body in its flat query form: nested members by their own names, lists unchanged. */
export function flatExample(example: unknown): Members {
  return Object.entries(example ?? {}).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatExample(value)
      : [[name, value] as const],
  );
}
