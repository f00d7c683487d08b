import { code, describeType } from './describe-type.mjs'
import { toTable } from './to-table.mjs'

/**
 * @typedef {import('./list-option-schemas.mjs').OptionSchema} OptionSchema
 * @typedef {{ name: string, type: string, fallback: string, unit: string, meaning: string }} Row
 */

const introduction = `# Options

Every option of every plugin and every setting of every connector, made from the schemas that check them: do not edit this
page, change the descriptions in the sources and run \`pnpm docs:options\`. A test fails when it is stale.

Unknown and malformed options of a plugin are refused at the start with the code \`OPTION_INVALID\`. Settings of connectors that
are not listed are ignored, so that LoopBack's \`datasources.json\` can be used as it is.

A dot leads into an object: \`streams.heartbeat\` is written \`{ streams: { heartbeat: 25 } }\`. Options without a default may be
left out, unless they are _required_.
`

/**
 * The text of docs/options.md.
 * @param {OptionSchema[]} schemas
 * @returns {string}
 */
export function optionsDocument(schemas) {
  const sections = schemas.map((schema, at) => section(schema, schemas[at - 1]?.package === schema.package))
  return [introduction, ...sections].join('\n')
}

/**
 * The options of a schema, those of nested objects too, by their path.
 * @param {object} schema
 * @returns {Row[]}
 */
export function listOptions(schema, prefix = '') {
  return Object.entries(schema.properties).flatMap(([key, option]) => {
    const name = prefix + key
    const inner = innerObject(option)
    const below = inner === undefined ? [] : listOptions(inner, `${name}.`)
    const isGroup = inner === option && option.description === undefined
    return isGroup ? below : [rowOf(name, option, schema.required?.includes(key)), ...below]
  })
}

/** The object with known keys that an option is, or may be. */
function innerObject(option) {
  if (option.title !== undefined) return undefined
  const candidates = [option, ...(option.anyOf ?? [])]
  return candidates.find(({ title, properties }) => title === undefined && Object.keys(properties ?? {}).length > 0)
}

function rowOf(name, option, required) {
  const { default: fallback, unit = '', description = '' } = option
  return {
    name: `\`${name}\``,
    type: describeType(option),
    fallback: fallback === undefined ? absent(required) : code(fallback),
    unit,
    meaning: description.replaceAll('|', '\\|').replaceAll('*', '\\*')
  }
}

function absent(required) {
  return required ? '_required_' : '–'
}

function section({ package: name, folder, name: schemaName, schema }, isFurther) {
  const heading = isFurther ? `${name}: ${schemaName.replace(/Schema$/, '')}` : name
  const rows = listOptions(schema).map(Object.values)
  const table = toTable([['option', 'type', 'default', 'unit', 'meaning'], ...rows])
  const source = [`\`${schemaName}\` of [\`${name}\`](../packages/${folder}/README.md).`, schema.description]
  return `## ${heading}\n\n${source.filter(Boolean).join(' ')}\n\n${table}\n`
}
