/** What to do about the errors that an application would not start with, by their codes. */
const advices: ReadonlyMap<string, string> = new Map([
  [
    'CONFIG_FILE_INVALID',
    'correct the file: JSON has no comments, no comma before } or ], and double quotes; what else is wrong in it shows then'
  ],
  ['CONFIG_MERGE_CONFLICT', 'give the key a value of the same kind in both files'],
  ['CONFIG_VALUE_INVALID', 'give the key a value that it can have, as the reason says, or remove it'],
  ['OPTION_INVALID', 'correct the option: docs/options.md lists the options of all packages'],
  ['BASE_MODEL_CYCLE', 'let one of the models extend PersistedModel'],
  ['BASE_MODEL_UNKNOWN', 'correct the name, or add the file of that model to a folder of _meta.sources'],
  ['MODEL_UNKNOWN', 'add the file of the model to a folder of _meta.sources, or remove the entry'],
  ['DATA_SOURCE_UNKNOWN', 'correct the name, add the data source to datasources.json, or use null for none'],
  ['MIXIN_UNKNOWN', 'correct the name, or add its script to a folder of _meta.mixins'],
  ['MIDDLEWARE_UNKNOWN', 'npm install the package, correct the name, or switch it off by "enabled": false'],
  ['MIDDLEWARE_REMOVED', 'npm install the package that it came from and name that package'],
  ['MIDDLEWARE_PHASES_OUT_OF_ORDER', 'put the phases in the order initial, session, auth, parse, routes, files, final'],
  ['COMPONENT_UNKNOWN', 'npm install the package, correct the name, or leave it out by null'],
  ['MODEL_DEFINITION_INVALID', 'give the key a value that LoopBack knows'],
  ['MODEL_NAME_RESERVED', 'rename the model and set plural to keep its path'],
  ['MODEL_DEFINED_TWICE', 'rename one of the two'],
  [
    'PROPERTY_TYPE_UNKNOWN',
    'correct the type: string, number, boolean, date, object, array, buffer, geopoint, any or a model'
  ],
  ['PROPERTY_NAME_HAS_DOT', 'rename the property: filters read a dot as a path'],
  ['RELATION_INVALID', 'correct the relation'],
  ['RELATION_TARGET_MISSING', 'correct the name, or define the model and name it in model-config.json']
])

/** What to do about an error with this code. */
export function adviceFor(code: string): string {
  return advices.get(code) ?? `look up ${code} in the list of errors`
}
