import * as fc from 'fast-check'

/** Which records a rule is about, by name: each is written once as a rule and once as the test of a record. */
export type RowsName = 'all' | 'tier' | 'below' | 'owner' | 'user' | 'team' | 'viaTeam' | 'either'

/** Names of properties by their place in the model; `except` for all others. */
export interface NamesSpec {
  readonly except: boolean
  readonly places: readonly number[]
}

/** One rule that allows. */
export interface RuleSpec {
  readonly who: '$everyone' | '$authenticated' | 'staff' | '$owner'
  readonly methods: 'all' | 'READ' | 'WRITE' | readonly string[]
  readonly rows: RowsName
  readonly read: NamesSpec | null
  readonly write: NamesSpec | null
}

/** A model whose access rules are these, after one that denies all; null: everybody may do everything. */
export interface ModelSpec {
  readonly rules: readonly RuleSpec[] | null
  readonly hidesSecret: boolean
  /** The database logs its changes, where it can. */
  readonly logsChanges: boolean
}

/** Relations between two models, told apart by their place among all. */
export interface LinkSpec {
  readonly kind: 'many' | 'one' | 'through' | 'joined' | 'poly' | 'embeds' | 'refs'
  readonly from: number
  readonly to: number
  readonly between: number
  /** The keys are those of the property `s`. */
  readonly byText: boolean
  readonly nests: boolean
  readonly onDelete: 'restrict' | 'cascade' | 'setNull' | null
}

/** What a record holds: `keys` are what its keys are taken from. */
export interface ValuesSpec {
  readonly n: number
  readonly s: string
  readonly secret: string
  readonly tier: number
  readonly userId: number | null
  readonly teamId: number | null
  readonly keys: readonly (number | null)[]
}

/** A record as it would be in each world. */
export interface RecordSpec {
  readonly model: number
  readonly id: number
  /** The worlds that hold it where nobody may see it. */
  readonly worlds: 'first' | 'second' | 'both'
  readonly first: ValuesSpec
  readonly second: ValuesSpec
}

/** A condition on properties, or on those of related records. */
export interface WhereSpec {
  readonly place: number
  readonly operator: 'eq' | 'neq' | 'gt' | 'lt' | 'inq' | 'null'
  readonly value: number
  /** The place of a relation that leads to the records that the condition is about. */
  readonly along: number | null
  readonly joined: { readonly by: 'and' | 'or'; readonly other: WhereSpec } | null
}

/** What is asked of a list. */
export interface FilterSpec {
  readonly where: WhereSpec | null
  readonly order: { readonly place: number; readonly along: number | null; readonly descending: boolean } | null
  readonly limit: number | null
  readonly skip: number | null
  readonly fields: NamesSpec | null
  readonly include: { readonly relation: number; readonly scope: FilterSpec | null } | null
}

/** One request: what it does is the name of a template. */
export interface RequestSpec {
  readonly kind: number
  readonly model: number
  readonly id: number
  readonly other: number
  readonly relation: number
  readonly below: number
  readonly filter: FilterSpec
  readonly data: { readonly values: ValuesSpec; readonly places: readonly number[] }
}

/** Who asks. */
export type CallerName = 'anonymous' | 'user' | 'staff'

/** Everything that a case is made of. */
export interface Case {
  /** `object id`: texts that MongoDB stores as ids of its own. */
  readonly idType: 'number' | 'string' | 'object id'
  readonly errorStatus: 401 | 403 | 404
  readonly caller: CallerName
  readonly usersAreOpen: boolean
  /** Events are kept for readers who come back; else these read what they missed from the log. */
  readonly keepsEvents: boolean
  readonly models: readonly ModelSpec[]
  readonly links: readonly LinkSpec[]
  readonly records: readonly RecordSpec[]
  readonly joins: readonly (readonly [number, number])[]
  readonly requests: readonly RequestSpec[]
}

const small = fc.nat({ max: 11 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 1 })
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const names = fc.record({ except: fc.boolean(), places: fc.array(small, { minLength: 1, maxLength: 4 }) })
const methods = fc.constantFrom(
  'find',
  'findById',
  'findOne',
  'count',
  'exists',
  'createChangeStream',
  'create',
  'patchOrCreate',
  'replaceOrCreate',
  'upsertWithWhere',
  'replaceById',
  'patchAttributes',
  'updateAll',
  'deleteById',
  'destroyAll'
)

const rule: fc.Arbitrary<RuleSpec> = fc.record({
  who: fc.oneof(
    { weight: 5, arbitrary: fc.constant('$everyone' as const) },
    { weight: 3, arbitrary: fc.constantFrom('$authenticated' as const, 'staff' as const, '$owner' as const) }
  ),
  methods: fc.oneof(
    fc.constantFrom('all' as const, 'all' as const, 'all' as const),
    fc.constantFrom('all' as const, 'READ' as const, 'WRITE' as const),
    fc.uniqueArray(methods, { minLength: 1, maxLength: 4 })
  ),
  rows: fc.constantFrom('tier', 'tier', 'all', 'below', 'owner', 'user', 'team', 'viaTeam', 'either'),
  read: rarely(names),
  write: rarely(names)
})

const model: fc.Arbitrary<ModelSpec> = fc.record({
  rules: fc.oneof(
    { weight: 4, arbitrary: fc.array(rule, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(rule, { maxLength: 3 }) },
    { weight: 3, arbitrary: fc.constant(null) }
  ),
  hidesSecret: fc.boolean(),
  logsChanges: fc.boolean()
})

const link: fc.Arbitrary<LinkSpec> = fc.record({
  kind: fc.constantFrom('many', 'many', 'one', 'through', 'through', 'joined', 'poly', 'embeds', 'refs'),
  from: small,
  to: small,
  between: small,
  byText: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  nests: fc.boolean(),
  onDelete: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('restrict' as const, 'cascade' as const, 'setNull' as const) }
  )
})

const id = fc.integer({ min: 1, max: 6 })
const letter = fc.constantFrom('a', 'b', 'c')

const values: fc.Arbitrary<ValuesSpec> = fc.record({
  n: fc.integer({ min: 0, max: 2 }),
  s: letter,
  secret: letter,
  tier: fc.integer({ min: 0, max: 3 }),
  userId: fc.constantFrom(7, 7, 8, null),
  teamId: fc.constantFrom(1, 2, null),
  keys: fc.array(fc.option(id, { freq: 6 }), { minLength: 3, maxLength: 3 })
})

const record: fc.Arbitrary<RecordSpec> = fc.record({
  model: small,
  id,
  worlds: fc.constantFrom('first', 'second', 'both'),
  first: values,
  second: values
})

const { where } = fc.letrec<{ where: WhereSpec }>((tie) => ({
  where: fc.record({
    place: small,
    operator: fc.constantFrom('eq', 'eq', 'neq', 'gt', 'lt', 'inq', 'null'),
    value: fc.integer({ min: 0, max: 8 }),
    along: maybe(small),
    joined: fc.option(fc.record({ by: fc.constantFrom('and', 'or'), other: tie('where') }), { freq: 1, maxDepth: 2 })
  })
}))

const { filter } = fc.letrec<{ filter: FilterSpec }>((tie) => ({
  filter: fc.record({
    where: maybe(where),
    order: maybe(fc.record({ place: small, along: maybe(small), descending: fc.boolean() })),
    limit: rarely(fc.integer({ min: 1, max: 3 })),
    skip: rarely(fc.integer({ min: 1, max: 2 })),
    fields: rarely(names),
    include: fc.option(fc.record({ relation: small, scope: fc.option(tie('filter'), { freq: 2, maxDepth: 3 }) }), {
      freq: 2,
      maxDepth: 3
    })
  })
}))

const request: fc.Arbitrary<RequestSpec> = fc.record({
  kind: fc.nat({ max: 399 }),
  model: small,
  id,
  other: id,
  relation: small,
  below: small,
  filter,
  data: fc.record({ values, places: fc.array(small, { minLength: 1, maxLength: 4 }) })
})

/** Cases with up to this many requests. */
export const cases = (maxRequests: number): fc.Arbitrary<Case> =>
  fc.record({
    idType: fc.constantFrom('number', 'number', 'string', 'object id'),
    errorStatus: fc.constantFrom(401, 403, 404),
    caller: fc.constantFrom('user', 'user', 'staff', 'anonymous'),
    usersAreOpen: fc.boolean(),
    keepsEvents: fc.boolean(),
    models: fc.array(model, { minLength: 2, maxLength: 4 }),
    links: fc.array(link, { minLength: 1, maxLength: 5, size: 'max' }),
    records: fc.uniqueArray(record, {
      minLength: 6,
      maxLength: 24,
      size: 'max',
      selector: (one) => `${one.model % 4}/${one.id}`
    }),
    joins: fc.uniqueArray(fc.tuple(id, id), { maxLength: 8, selector: String }),
    requests: fc.array(request, { minLength: 1, maxLength: maxRequests, size: 'max' })
  })
