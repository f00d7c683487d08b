/** Models that every LoopBack application has, and what is missing where they are not served. */
export const builtInModels: ReadonlyMap<string, string> = new Map([
  ['Application', 'client applications'],
  ['Change', 'replication'],
  ['Checkpoint', 'replication'],
  ['KeyValueModel', 'key-value stores']
])
