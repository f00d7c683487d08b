// Who may see what, said once more and as plainly as can be. It errs on the side of seeing: what any rule about a caller shows
// by any method counts as seen. What is left is what no answer may depend on.
import type { ModelDefinition } from '@modelwire/core'
import { at, me, modelNames, namesIn } from './models.ts'
import type { CallerName, Case, ModelSpec, RecordSpec, RowsName, RuleSpec, ValuesSpec } from './case.ts'

/** A record as it is stored. */
export type Row = Readonly<Record<string, unknown>>

const tests: Readonly<Record<RowsName, (row: Row, isKnown: boolean) => boolean>> = {
  all: () => true,
  tier: ({ tier }) => tier === 1,
  below: ({ tier }) => Number(tier) < 2,
  owner: ({ userId }, isKnown) => isKnown && userId === me,
  user: ({ userId }, isKnown) => isKnown && userId === me,
  team: ({ teamId }, isKnown) => isKnown && teamId === 1,
  viaTeam: ({ teamId }, isKnown) => isKnown && teamId === 1,
  either: ({ tier, userId }, isKnown) => tier === 1 || (isKnown && userId === me)
}

function isAbout({ who, methods }: RuleSpec, caller: CallerName): boolean {
  if (Array.isArray(methods) && methods.every((method) => method === 'create')) return false
  if (who === '$everyone') return true
  return who === 'staff' ? caller === 'staff' : caller !== 'anonymous'
}

const showsRow = ({ who, rows }: RuleSpec, row: Row, isKnown: boolean): boolean =>
  tests[rows](row, isKnown) && (who !== '$owner' || tests.owner(row, isKnown))

/** For each rule about the caller whether it shows the record; one that is true where everybody may see everything. */
function shownBy({ rules }: ModelSpec, row: Row, caller: CallerName): readonly boolean[] {
  if (rules === null) return [true]
  return rules.filter((rule) => isAbout(rule, caller)).map((rule) => showsRow(rule, row, caller !== 'anonymous'))
}

/** Whether no rule about the caller shows a record. */
export const isUnseen = (model: ModelSpec, row: Row, caller: CallerName): boolean =>
  !shownBy(model, row, caller).includes(true)

/** The properties that no rule about the caller shows. */
function unreadable({ rules, hidesSecret }: ModelSpec, properties: readonly string[], caller: CallerName): Set<string> {
  const kept = new Set(rules === null ? [] : properties.filter((name) => name !== 'id'))
  const isShown = (rule: RuleSpec, name: string): boolean =>
    rule.read === null || namesIn(rule.read, properties).includes(name) !== rule.read.except
  const own = (rules ?? []).filter((rule) => isAbout(rule, caller))
  for (const name of kept) if (own.some((rule) => isShown(rule, name))) kept.delete(name)
  if (hidesSecret) kept.add('secret')
  return kept
}

const idsOf: Readonly<Record<Case['idType'], (id: number) => number | string>> = {
  number: (id) => id,
  string: (id) => `k${id}`,
  'object id': (id) => String(id).padStart(24, '5f0a')
}

/** An id as records of the case have it. */
export const idOf = ({ idType }: Pick<Case, 'idType'>, id: number): number | string => idsOf[idType](id)

function valueOf(name: string, values: ValuesSpec, spec: Case): unknown {
  const { keys } = values
  const [kind, place] = [name[0] ?? '', Number(/\d+/.exec(name)?.[0] ?? 0)]
  const key = at(keys, place)
  const keyId = key === null ? null : idOf(spec, key)
  if (kind === 'p' && name.endsWith('Type')) return at([...modelNames(spec), 'Nope'], at(keys, place + 1) ?? 0)
  if (kind === 'f' && spec.links[place]?.byText === true) return key === null ? null : at(['a', 'b', 'c'], key)
  if (kind === 'l') return [...new Set(keys)].filter((one) => one !== null).map((one) => idOf(spec, one))
  if (kind === 'e') return [{ id: 1, n: values.n, secret: values.secret }]
  return keyId
}

/** What a record with these values holds. */
export function rowOf({ properties = {} }: ModelDefinition, values: ValuesSpec, spec: Case): Row {
  const { keys: _keys, ...plain } = values
  const others = Object.keys(properties).filter((name) => name !== 'id' && !Object.hasOwn(plain, name))
  return { ...plain, ...Object.fromEntries(others.map((name) => [name, valueOf(name, values, spec)])) }
}

/** The records of one world, by model. */
export type World = ReadonlyMap<string, readonly Row[]>

/** Two worlds that the caller cannot tell apart, and which of the records he may not see. */
export interface Worlds {
  readonly first: World
  readonly second: World
  readonly unseen: ReadonlySet<string>
}

/** A record by name. */
export const nameOf = (model: string, id: unknown): string => `${model} ${String(id)}`

const same = (one: readonly boolean[], other: readonly boolean[]): boolean => String(one) === String(other)

/** The second world's record in place of one that the caller may see: what is not shown may differ, unless it decides. */
function counterpart(row: Row, other: Row, hidden: ReadonlySet<string>, shown: (row: Row) => readonly boolean[]): Row {
  const change = (names: readonly string[]): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, names.includes(name) ? other[name] : value]))
  const all = [...hidden]
  const tries = [all, all.filter((name) => !['tier', 'userId', 'teamId'].includes(name))].map(change)
  return tries.find((one) => same(shown(one), shown(row))) ?? row
}

/** Makes both worlds of a case. */
export function worldsOf(spec: Case, definitions: readonly ModelDefinition[]): Worlds {
  const [first, second] = [new Map<string, Row[]>(), new Map<string, Row[]>()]
  const unseen = new Set<string>()
  const known = new Set<string>()
  const add = (record: RecordSpec): void => {
    const [definition, model] = [at(definitions, record.model), at(spec.models, record.model)]
    const id = idOf(spec, record.id)
    const name = nameOf(definition.name, id)
    if (known.has(name)) return
    known.add(name)
    const shown = (row: Row): readonly boolean[] => shownBy(model, row, spec.caller)
    const [one, other] = [record.first, record.second].map((values) => rowOf(definition, values, spec)) as [Row, Row]
    const isSeen = shown(one).includes(true)
    const hidden = unreadable(model, Object.keys(definition.properties ?? {}), spec.caller)
    const otherUnseen = shown(other).includes(true) ? one : other
    const there = isSeen ? withParts(counterpart(one, other, hidden, shown), other) : otherUnseen
    if (!isSeen) unseen.add(name)
    const put = (world: Map<string, Row[]>, row: Row): void =>
      void world.set(definition.name, [...(world.get(definition.name) ?? []), { id, ...row }])
    if (isSeen || record.worlds !== 'second') put(first, one)
    if (isSeen || record.worlds !== 'first') put(second, there)
  }
  for (const record of [...spec.records].sort((a, b) => a.id - b.id)) add(record)
  return { first, second, unseen }
}

/** What parts of records hide differs as well. */
function withParts(row: Row, other: Row): Row {
  const parts = Object.entries(row).filter(([name]) => /^e\d+$/.test(name))
  const changed = parts.map(([name, value]) => [
    name,
    (value as readonly Row[]).map((part) => ({ ...part, secret: other['secret'] })) // lists of parts
  ])
  return { ...row, ...Object.fromEntries(changed) }
}
