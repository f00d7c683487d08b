import type { ModelRegistry, ModelType, PropertyType, ValueType } from '@modelwire/core'

/** How types are written. */
export interface TypesOptions {
  /** As clients see records: dates are texts, and hidden properties are not there. */
  readonly wire: boolean
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  text: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  dateString: 'string',
  geopoint: '{ lat: number; lng: number }',
  object: 'Record<string, unknown>',
  any: 'unknown'
}
const inCode: Readonly<Record<string, string>> = { date: 'Date', buffer: 'Buffer' }
const onWire: Readonly<Record<string, string>> = { date: 'string', buffer: "{ type: 'Buffer'; data: number[] }" }

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
const quoted = (text: string): string => (isName(text) ? text : JSON.stringify(text))
// Only a union needs parentheses.
const listOf = (item: string): string => (/^[\w.$]+$|^\{.*\}$/.test(item) ? `${item}[]` : `(${item})[]`)

/** Names of models that can be names of types. */
type KnownModel = (name: string) => boolean

function writeType(type: ValueType, options: TypesOptions, isKnown: KnownModel): string {
  if (type.kind === 'array')
    return listOf(type.items === undefined ? 'unknown' : writeType(type.items, options, isKnown))
  if (type.kind === 'model') return isKnown(type.model) ? type.model : 'Record<string, unknown>'
  if (type.kind === 'nested')
    return `{ ${type.properties.map((property) => writeMember(property, options, isKnown)).join('; ')} }`
  return (options.wire ? onWire : inCode)[type.kind] ?? scalars[type.kind] ?? 'unknown'
}

/** A record that was read has its id; whatever is neither required nor made may be absent, or null. */
function writeMember(
  { name, type, required, id, makeDefault }: PropertyType,
  options: TypesOptions,
  isKnown: KnownModel
): string {
  const isThere = required || id || makeDefault !== undefined
  const text = writeType(type, options, isKnown)
  return `${quoted(name)}${isThere ? '' : '?'}: ${text}${isThere || text === 'unknown' ? '' : ' | null'}`
}

const isMany = (kind: string): boolean => /many/i.test(kind)

function relationMembers({ definition }: ModelType, isKnown: KnownModel): string[] {
  return Object.entries(definition.relations ?? {}).map(([name, { type, model }]) => {
    const target = model !== undefined && isKnown(model) ? model : 'Record<string, unknown>'
    return `/** Where it is included. */\n  ${quoted(name)}?: ${isMany(type) ? listOf(target) : target}`
  })
}

function writeModel(model: ModelType, options: TypesOptions, isKnown: KnownModel): string {
  const shown = model.properties.filter(({ name }) => !options.wire || !model.hidden.has(name))
  const members = [
    ...shown.map((property) => writeMember(property, options, isKnown)),
    ...relationMembers(model, isKnown),
    ...(model.strict ? [] : ['[property: string]: unknown'])
  ]
  const { description } = model.definition
  const about = typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /')} */\n` : ''
  return `${about}export interface ${model.name} {\n${members.map((member) => `  ${member}\n`).join('')}}\n`
}

/**
 * TypeScript types of all models of an application: an interface per model and, for code inside the server, the types of
 * `app.models`.
 */
export function modelTypes(registry: ModelRegistry, options: TypesOptions): string {
  const models = registry
    .names()
    .filter(isName)
    .map((name) => registry.typeOf(name))
  const names = new Set(models.map(({ name }) => name))
  const interfaces = models.map((model) => writeModel(model, options, (name) => names.has(name)))
  const head = '// Made by "modelwire types". Changes are lost when it is made again.\n'
  if (options.wire) return `${head}\n${interfaces.join('\n')}`
  const declared = models.map(({ name }) => `    ${name}: ModelClass<${name}>\n`).join('')
  return `${head}import type { ModelClass } from '@modelwire/core'\n\n${interfaces.join('\n')}
declare module '@modelwire/core' {
  interface Models {
${declared}  }
}
`
}
