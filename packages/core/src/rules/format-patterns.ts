/** Texts that the keyword `format` of a schema knows. Others are notes for readers, as JSON Schema has it. */
export const formatPatterns: ReadonlyMap<unknown, RegExp> = new Map([
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['uri', /^[a-z][a-z\d+.-]*:\S+$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/i],
  ['time', /^\d\d:\d\d/],
  ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['hostname', /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i]
])
