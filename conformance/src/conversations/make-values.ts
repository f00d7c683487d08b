import type { Kind, ModelPlan } from './plan.ts'
import type { Random } from './random.ts'

const texts = ['a', 'b', 'ab', 'A%', 'zz', 'new'] as const
const whole = [0, 1, 2, 3, 4, 5, -1, 2.5] as const
const times = ['2020-01-01T00:00:00.000Z', '2021-06-01', '2022-02-02T10:00:00Z', 1577836800000] as const

const usual: Readonly<Record<Kind, (random: Random) => unknown>> = {
  string: (random) => random.pick(texts),
  number: (random) => random.pick(whole),
  boolean: (random) => random.chance(0.5),
  date: (random) => random.pick(times),
  object: (random) => random.pick([{}, { a: 1 }, { a: { b: 'x' }, c: [1, 2] }]),
  any: (random) => random.pick([1, 'a', true, [1], { a: 1 }]),
  strings: (random) => random.some(texts, 0, 3),
  numbers: (random) => random.some(whole, 0, 3),
  geopoint: (random) => random.pick([{ lat: 1, lng: 2 }, { lat: 10, lng: 20 }, '3,4', [5, 6]]),
  box: (random) => random.pick([{ w: 1, h: 2 }, { w: 3 }, {}])
}

const odd: Readonly<Record<Kind, readonly unknown[]>> = {
  string: [5, true, null, ''],
  number: ['5', '', null, true, '2.5'],
  boolean: ['true', 'false', 0, 1, '', null],
  date: [null, '0', '2020', ''],
  object: [null, [1], '{"a":1}'],
  any: [null, '5', 'true', 'null', '[1]', ''],
  strings: ['a', '["a"]', [1, true], null, '', [null]],
  numbers: [['1', 2], null, '[1,2]', '', 7],
  geopoint: [null],
  box: [null, { w: '3' }, { w: null, d: 1 }]
}

/** A value for a property, now and then one of another type. */
export function makeValue(random: Random, kind: Kind, oddity = 0.08): unknown {
  return random.chance(oddity) ? random.pick(odd[kind]) : usual[kind](random)
}

/** An id that a record of the model may have. */
export function makeId(random: Random, model: ModelPlan | undefined): number | string {
  if (model?.textIds === true) return random.pick(['a', 'b', 'c', 'd'])
  return random.chance(0.04) ? random.pick(['x', 99, '01', 0]) : 1 + random.int(4)
}

const keyOf = (json: Readonly<Record<string, unknown>>): string | undefined =>
  typeof json['foreignKey'] === 'string' ? json['foreignKey'] : undefined

function keysFor(random: Random, model: ModelPlan, models: readonly ModelPlan[]): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const { type, target, json } of model.relations) {
    const key = keyOf(json)
    const related = models.find(({ name }) => name === target)
    if (type === 'belongsTo' && key !== undefined && random.chance(0.5)) data[key] = makeId(random, related)
    if (type === 'belongsTo' && key === undefined && random.chance(0.7)) {
      data['imageableId'] = 1 + random.int(3)
      data['imageableType'] = random.pick(models).name
    }
    if (type === 'referencesMany' && random.chance(0.3))
      data[`${target?.toLowerCase()}Ids`] = random.some([1, 2, 3], 0, 3)
  }
  return data
}

function partsFor(random: Random, model: ModelPlan, models: readonly ModelPlan[]): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const { type, target, json } of model.relations) {
    const part = models.find(({ name }) => name === target)
    if (!type.startsWith('embeds') || part === undefined || typeof json['property'] !== 'string') continue
    if (random.chance(0.7)) continue
    const items = Array.from({ length: 1 + random.int(2) }, (_, at) => ({
      ...(random.chance(0.5) && { id: at + 1 }),
      ...makeData(random, part, models)
    }))
    data[json['property']] = type === 'embedsOne' ? items[0] : items
  }
  return data
}

/** What a client may send for a record; mostly valid. */
export function makeData(
  random: Random,
  model: ModelPlan,
  models: readonly ModelPlan[],
  full = 0.6
): Record<string, unknown> {
  const entries = model.properties
    .filter(() => random.chance(full))
    .map(({ name, kind }) => [name, makeValue(random, kind)] as const)
  return {
    ...Object.fromEntries(entries),
    ...keysFor(random, model, models),
    ...partsFor(random, model, models),
    ...(random.chance(0.03) && { unknown: random.pick(['u', 1, null]) })
  }
}
