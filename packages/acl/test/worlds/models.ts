import type { ModelDefinition, RowsFunction } from '@modelwire/core'
import { deny, rule } from '../make-app.ts'
import type { Case, LinkSpec, ModelSpec, NamesSpec, RowsName, RuleSpec } from './case.ts'

/** The user who asks, where anybody does. */
export const me = 7

/** Rules by the name of their records. */
const rowsRules: Readonly<Record<RowsName, RowsFunction | string | undefined>> = {
  all: undefined,
  tier: () => ({ tier: 1 }),
  below: async () => ({ and: [{ tier: { lt: 2 } }, { tier: { neq: null } }] }),
  owner: '$owner',
  user: 'user',
  team: 'team.user',
  viaTeam: ({ userId }) => userId !== undefined && { team: { userId } },
  either: ({ userId }) => ({ or: [{ tier: 1 }, { userId: userId ?? -1 }] })
}

/** The one at a place, however many there are. */
export function at<T>(list: readonly T[], place: number): T {
  const item = list[place % list.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

/** The names that a specification means. */
export const namesIn = (spec: NamesSpec, all: readonly string[]): readonly string[] => [
  ...new Set(spec.places.map((place) => at(all, place)))
]

const fieldsOf = (spec: NamesSpec, all: readonly string[]): object =>
  spec.except ? { except: namesIn(spec, all) } : [...namesIn(spec, all)]

function writtenRule({ who, methods, rows, read, write }: RuleSpec, properties: readonly string[]): object {
  const about = typeof methods === 'string' ? { accessType: methods === 'all' ? 'EXECUTE' : methods } : {}
  const named = typeof methods === 'string' ? {} : { property: [...methods] }
  const fields = {
    ...(read === null ? {} : { read: fieldsOf(read, properties) }),
    ...(write === null ? {} : { write: fieldsOf(write, properties) })
  }
  const rowsRule = rowsRules[rows]
  return rule(who, 'ALLOW', {
    ...about,
    ...named,
    ...(rowsRule === undefined ? {} : { rows: rowsRule }),
    ...(Object.keys(fields).length === 0 ? {} : { fields })
  })
}

/** A relation as definitions write it. */
interface Relation {
  readonly type: string
  readonly model?: string
}

/** The properties and relations that one link gives to models, by the names of these. */
type Parts = Record<string, { properties: Record<string, unknown>; relations: Record<string, Relation> }>

/** What a link is made of. */
interface Linking {
  readonly link: LinkSpec
  readonly place: number
  readonly from: string
  readonly to: string
  readonly between: string
  readonly idType: string
}

const dependants = ({ onDelete }: LinkSpec): object => (onDelete === null ? {} : { onDelete })
const nesting = ({ nests }: LinkSpec): object => (nests ? { options: { nestRemoting: true } } : {})

const joining = 'hasAndBelongsToMany'

const makers: Readonly<Record<LinkSpec['kind'], (linking: Linking, parts: Parts) => void>> = {
  many: (linking, parts) => addChildren(linking, parts, 'hasMany'),
  one: (linking, parts) => addChildren(linking, parts, 'hasOne'),
  through: ({ link, place, from, to, between, idType }, parts) => {
    const [x, y] = [`x${place}`, `y${place}`]
    Object.assign(parts[between]?.properties ?? {}, { [x]: idType, [y]: idType })
    Object.assign(parts[between]?.relations ?? {}, {
      [`u${place}`]: { type: 'belongsTo', model: from, foreignKey: x },
      [`v${place}`]: { type: 'belongsTo', model: to, foreignKey: y }
    })
    const there = { type: 'hasMany', model: to, through: between, foreignKey: x, keyThrough: y, ...nesting(link) }
    const back = { type: 'hasMany', model: from, through: between, foreignKey: y, keyThrough: x }
    Object.assign(parts[from]?.relations ?? {}, { [`r${place}`]: there })
    Object.assign(parts[to]?.relations ?? {}, { [`q${place}`]: back })
  },
  joined: ({ place, from, to }, parts) => {
    const relations = parts[from]?.relations ?? {}
    // One of them to a model: a second would keep its links where the first does, which is refused.
    if (from === to || Object.values(relations).some(({ type, model }) => type === joining && model === to)) return
    Object.assign(relations, { [`r${place}`]: { type: joining, model: to } })
  },
  poly: ({ link, place, from, to, idType }, parts) => {
    const as = `p${place}`
    Object.assign(parts[to]?.properties ?? {}, { [`${as}Id`]: idType, [`${as}Type`]: 'string' })
    const many = { type: 'hasMany', model: to, polymorphic: { as }, ...nesting(link) }
    Object.assign(parts[from]?.relations ?? {}, { [`r${place}`]: many })
    Object.assign(parts[to]?.relations ?? {}, { [as]: { type: 'belongsTo', polymorphic: { idType } } })
  },
  embeds: ({ place, from }, parts) => {
    Object.assign(parts[from]?.properties ?? {}, { [`e${place}`]: ['Part'] })
    const embeds = { type: 'embedsMany', model: 'Part', property: `e${place}` }
    Object.assign(parts[from]?.relations ?? {}, { [`r${place}`]: embeds })
  },
  refs: ({ place, from, to, idType }, parts) => {
    Object.assign(parts[from]?.properties ?? {}, { [`l${place}`]: [idType] })
    const refs = { type: 'referencesMany', model: to, foreignKey: `l${place}` }
    Object.assign(parts[from]?.relations ?? {}, { [`r${place}`]: refs })
  }
}

function addChildren({ link, place, from, to, idType }: Linking, parts: Parts, type: string): void {
  const foreignKey = `f${place}`
  const key = link.byText ? { foreignKey, primaryKey: 's' } : { foreignKey }
  Object.assign(parts[to]?.properties ?? {}, { [foreignKey]: link.byText ? 'string' : idType })
  const children = { type, model: to, ...key, ...nesting(link), ...dependants(link) }
  Object.assign(parts[from]?.relations ?? {}, { [`r${place}`]: children })
  Object.assign(parts[to]?.relations ?? {}, { [`b${place}`]: { type: 'belongsTo', model: from, ...key } })
}

/** The names of the generated models. */
export const modelNames = ({ models }: Case): readonly string[] => models.map((_, place) => `M${place}`)

/** The links between models that are joined by one that nobody declares, which has the keys of both. */
export function joinedPairs({ links, models }: Case): readonly (readonly [string, string])[] {
  const pairs = links
    .filter(({ kind, from, to }) => kind === 'joined' && from % models.length !== to % models.length)
    .map(({ from, to }) => [`M${from % models.length}`, `M${to % models.length}`] as const)
  const known = new Map(pairs.map((pair) => [pair.toSorted().join(''), pair]))
  return [...known.values()]
}

/** The declared type of ids. */
const typeOfIds = ({ idType }: Case): string => (idType === 'number' ? 'number' : 'string')

const base = (spec: Case): Record<string, unknown> => ({
  id: { type: typeOfIds(spec), id: true, generated: false, required: true },
  n: 'number',
  s: 'string',
  secret: 'string',
  tier: 'number',
  userId: 'number',
  teamId: 'number'
})

function modelOf(name: string, { rules, hidesSecret, logsChanges }: ModelSpec, parts: Parts): ModelDefinition {
  const { properties = {}, relations = {} } = parts[name] ?? {}
  const declared = Object.keys(properties)
  return {
    name,
    plural: name.toLowerCase(),
    public: true,
    strict: true,
    forceId: false,
    changeLog: logsChanges,
    properties: properties as NonNullable<ModelDefinition['properties']>, // of names of types
    relations: relations as NonNullable<ModelDefinition['relations']>, // each has a type
    ...(hidesSecret ? { hidden: ['secret'] } : {}),
    ...(rules === null ? {} : { acls: [deny, ...rules.map((each) => writtenRule(each, declared))] })
  }
}

/** The generated models. */
export function generatedModels(spec: Case): readonly ModelDefinition[] {
  const all = modelNames(spec)
  const parts: Parts = Object.fromEntries(
    all.map((name) => [
      name,
      {
        properties: base(spec),
        relations: {
          user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' },
          team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' }
        }
      }
    ])
  )
  for (const [place, link] of spec.links.entries()) {
    const [from, to, between] = [at(all, link.from), at(all, link.to), at(all, link.between)]
    makers[link.kind]({ link, place, from, to, between, idType: typeOfIds(spec) }, parts)
  }
  return spec.models.map((model, place) => modelOf(`M${place}`, model, parts))
}

/** The model whose records are created when all else has happened: they come last in the log of changes. */
export const endName = 'End'

/** The models that are the same in every case: whose records decide who may see what, and parts of records. */
export function fixedModels({ usersAreOpen, models }: Case): readonly ModelDefinition[] {
  const id = { type: 'number', id: true, generated: false }
  return [
    {
      name: 'User',
      plural: 'users',
      public: true,
      strict: true,
      properties: { id, name: 'string' },
      relations: { owned: { type: 'hasMany', model: 'M0', foreignKey: 'userId' } },
      acls: usersAreOpen
        ? [deny, rule('$everyone', 'ALLOW', { accessType: 'READ' })]
        : [deny, rule('$owner', 'ALLOW', { accessType: 'EXECUTE' })]
    },
    {
      name: 'Team',
      strict: true,
      properties: { id, userId: 'number' },
      relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
      acls: [deny]
    },
    { name: endName, changeLog: models.some(({ logsChanges }) => logsChanges), properties: { id }, acls: [deny] },
    { name: 'Part', dataSource: null, properties: { id, n: 'number', secret: 'string' }, hidden: ['secret'] }
  ]
}
