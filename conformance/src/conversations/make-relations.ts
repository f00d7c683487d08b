import type { RelationPlan, RelationType } from './plan.ts'
import type { Random } from './random.ts'

/** The relations of each model, by the model's name, and the models that lie between. */
export interface Relations {
  readonly of: ReadonlyMap<string, readonly RelationPlan[]>
  readonly between: readonly string[]
  readonly parts: readonly string[]
  readonly polymorphic: readonly string[]
}

interface Drawing {
  readonly random: Random
  readonly names: readonly string[]
  readonly of: Map<string, RelationPlan[]>
  readonly between: Set<string>
  readonly parts: Set<string>
  readonly polymorphic: Set<string>
}

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

function add(drawing: Drawing, model: string, relation: RelationPlan): void {
  const list = drawing.of.get(model) ?? []
  if (!list.some(({ name }) => name === relation.name)) list.push(relation)
  drawing.of.set(model, list)
}

/** What a relation's scope may say; every part is rare. */
function scopeFor(random: Random): object {
  const scope = {
    ...(random.chance(0.08) && { where: random.pick([{ label: 'a' }, { price: { gt: 2 } }, { sold: true }]) }),
    ...(random.chance(0.08) && { order: random.pick(['label', 'price DESC', ['label DESC', 'id'], 'id DESC']) }),
    ...(random.chance(0.05) && { limit: 2 }),
    ...(random.chance(0.05) && { fields: random.pick([['id', 'label'], { price: false }, ['label']]) })
  }
  return Object.keys(scope).length === 0 ? {} : { scope }
}

const propertiesFor = (random: Random): object =>
  random.chance(0.1) ? { properties: random.pick([['label'], { label: 'title' }, { price: 'stock' }]) } : {}

function oneToMany(drawing: Drawing): void {
  const { random, names } = drawing
  const [one, many] = [random.pick(names), random.pick(names)]
  const key = random.chance(0.6) ? `${lower(one)}Id` : 'ownerId'
  const back = random.chance(0.8) ? lower(one) : 'owner'
  const single = random.chance(0.25)
  const type = single ? 'hasOne' : 'hasMany'
  const name = single ? `one${many}` : `${lower(many)}s`
  const shape = { model: many, foreignKey: key, ...scopeFor(random), ...propertiesFor(random) }
  add(drawing, one, { name, type, target: many, json: { type, ...shape } })
  if (random.chance(0.85))
    add(drawing, many, {
      name: back,
      type: 'belongsTo',
      target: one,
      json: { type: 'belongsTo', model: one, foreignKey: key }
    })
}

function through(drawing: Drawing): void {
  const { random, names } = drawing
  const [one, other] = random.some(names, 2, 2)
  if (one === undefined || other === undefined) return
  const between = `${one}${other}Link`
  drawing.between.add(between)
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const) {
    const json = { type: 'hasMany', model: to, through: between, foreignKey: `${lower(from)}Id`, ...scopeFor(random) }
    const keyed = random.chance(0.5) ? { ...json, keyThrough: `${lower(to)}Id` } : json
    add(drawing, from, { name: `linked${to}s`, type: 'through', target: to, through: between, json: keyed })
    const back = { type: 'belongsTo', model: from, foreignKey: `${lower(from)}Id` }
    add(drawing, between, { name: lower(from), type: 'belongsTo', target: from, json: back })
  }
}

function joined(drawing: Drawing): void {
  const { random, names } = drawing
  const [one, other] = random.some(names, 2, 2)
  if (one === undefined || other === undefined) return
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const) {
    if (from === other && random.chance(0.3)) continue
    const json = { type: 'hasAndBelongsToMany', model: to, ...scopeFor(random) }
    add(drawing, from, { name: `joined${to}s`, type: 'hasAndBelongsToMany', target: to, json })
  }
}

function polymorphic(drawing: Drawing): void {
  const { random, names } = drawing
  const picture = random.pick(names)
  drawing.polymorphic.add(picture)
  add(drawing, picture, { name: 'imageable', type: 'belongsTo', json: { type: 'belongsTo', polymorphic: true } })
  for (const owner of random.some(names, 1, 2)) {
    const single = random.chance(0.4)
    const type = single ? 'hasOne' : 'hasMany'
    const selector = random.pick(['imageable', { as: 'imageable' }, { selector: 'imageable' }])
    const json = { type, model: picture, polymorphic: selector, ...scopeFor(random) }
    add(drawing, owner, { name: single ? 'cover' : 'pictures', type, target: picture, json })
  }
}

function embedded(drawing: Drawing): void {
  const { random, names } = drawing
  const owner = random.pick(names)
  const part = random.pick(['Part', 'Place'])
  drawing.parts.add(part)
  const many = random.chance(0.65)
  const type: RelationType = many ? 'embedsMany' : 'embedsOne'
  const options = {
    ...(random.chance(0.2) && { forceId: random.chance(0.5) }),
    ...(random.chance(0.1) && { persistent: true }),
    ...(random.chance(0.15) && { validate: random.chance(0.5) }),
    ...(many && random.chance(0.1) && { prepend: true })
  }
  const name = many ? `${lower(part)}List` : `own${part}`
  const json = {
    type,
    model: part,
    ...(random.chance(0.7) && { property: `${name}Items` }),
    ...(many && random.chance(0.2) && { default: [] }),
    ...(Object.keys(options).length > 0 && { options })
  }
  add(drawing, owner, { name, type, target: part, json })
}

function references(drawing: Drawing): void {
  const { random, names } = drawing
  const [owner, target] = [random.pick(names), random.pick(names)]
  const json = {
    type: 'referencesMany',
    model: target,
    ...(random.chance(0.5) && { property: `${lower(target)}Ids` }),
    ...(random.chance(0.2) && { options: { forceId: false } }),
    ...scopeFor(random)
  }
  add(drawing, owner, { name: `listed${target}s`, type: 'referencesMany', target, json })
}

const makers = [oneToMany, oneToMany, through, joined, polymorphic, embedded, embedded, references]

/** Two to five relations, mostly of both sides, between models of these names. */
export function makeRelations(random: Random, names: readonly string[]): Relations {
  const drawing: Drawing = {
    random,
    names,
    of: new Map(),
    between: new Set(),
    parts: new Set(),
    polymorphic: new Set()
  }
  for (const make of random.some(makers, 2, 5)) make(drawing)
  return {
    of: drawing.of,
    between: [...drawing.between],
    parts: [...drawing.parts],
    polymorphic: [...drawing.polymorphic]
  }
}
