import { makeFilter, makeWhere, writeQuery } from './make-filter.ts'
import { relationRequest } from './make-relation-request.ts'
import { makeData, makeId } from './make-values.ts'
import type { ConversationRequest, ModelPlan } from './plan.ts'
import type { Random } from './random.ts'
import { send } from './write-request.ts'

type Maker = (random: Random, model: ModelPlan, models: readonly ModelPlan[]) => ConversationRequest

const pathOf = ({ name }: ModelPlan): string => `/api/${name}s`

function withId(random: Random, model: ModelPlan, models: readonly ModelPlan[]): Record<string, unknown> {
  const data = makeData(random, model, models)
  return model.textIds || random.chance(0.04) ? { id: makeId(random, model), ...data } : data
}

const create: Maker = (random, model, models) => {
  const many = random.chance(0.12)
  const data = many ? [withId(random, model, models), withId(random, model, models)] : withId(random, model, models)
  return send(random, many ? 'create list' : 'create', 'POST', pathOf(model), data)
}

const find: Maker = (random, model, models) => ({
  kind: 'find',
  method: 'GET',
  path: pathOf(model) + writeQuery(random, 'filter', makeFilter(random, model, models))
})

const findOne: Maker = (random, model, models) => ({
  kind: 'findOne',
  method: 'GET',
  path: `${pathOf(model)}/findOne${writeQuery(random, 'filter', makeFilter(random, model, models))}`
})

const findById: Maker = (random, model, models) => {
  const { fields, include } = makeFilter(random, model, models)
  const filter = { ...(fields !== undefined && { fields }), ...(include !== undefined && { include }) }
  return {
    kind: 'findById',
    method: 'GET',
    path: `${pathOf(model)}/${makeId(random, model)}${writeQuery(random, 'filter', filter)}`
  }
}

const exists: Maker = (random, model) => {
  const head = random.chance(0.4)
  return {
    kind: head ? 'head' : 'exists',
    method: head ? 'HEAD' : 'GET',
    path: `${pathOf(model)}/${makeId(random, model)}${head && random.chance(0.5) ? '' : '/exists'}`
  }
}

const count: Maker = (random, model) => ({
  kind: 'count',
  method: 'GET',
  path: `${pathOf(model)}/count${writeQuery(random, 'where', random.chance(0.8) ? makeWhere(random, model) : {})}`
})

const patchById: Maker = (random, model, models) =>
  send(random, 'patchById', 'PATCH', `${pathOf(model)}/${makeId(random, model)}`, makeData(random, model, models, 0.3))

const replaceById: Maker = (random, model, models) => {
  const path = `${pathOf(model)}/${makeId(random, model)}`
  const data = makeData(random, model, models)
  return random.chance(0.7)
    ? send(random, 'replaceById', 'PUT', path, data)
    : send(random, 'replaceById', 'POST', `${path}/replace`, data)
}

const upsert: Maker = (random, model, models) => {
  const data = { ...(random.chance(0.8) && { id: makeId(random, model) }), ...makeData(random, model, models, 0.5) }
  if (random.chance(0.5)) return send(random, 'patchOrCreate', 'PATCH', pathOf(model), data)
  const path = random.chance(0.7) ? '' : '/replaceOrCreate'
  return send(random, 'replaceOrCreate', path === '' ? 'PUT' : 'POST', `${pathOf(model)}${path}`, data)
}

const upsertWithWhere: Maker = (random, model, models) => {
  const query = writeQuery(random, 'where', makeWhere(random, model))
  const data = makeData(random, model, models, 0.3)
  return send(random, 'upsertWithWhere', 'POST', `${pathOf(model)}/upsertWithWhere${query}`, data)
}

const updateAll: Maker = (random, model, models) => {
  const query = writeQuery(random, 'where', random.chance(0.8) ? makeWhere(random, model) : {})
  return send(random, 'updateAll', 'POST', `${pathOf(model)}/update${query}`, makeData(random, model, models, 0.2))
}

const deleteById: Maker = (random, model) => ({
  kind: 'deleteById',
  method: 'DELETE',
  path: `${pathOf(model)}/${makeId(random, model)}`
})

const scope: Maker = (random, model, models) => {
  const name = random.pick(model.scopes)
  const path = `${pathOf(model)}/${name}`
  const turn = random.int(10)
  if (turn < 6)
    return {
      kind: 'scope',
      method: 'GET',
      path: path + writeQuery(random, 'filter', makeFilter(random, model, models))
    }
  if (turn < 8) return { kind: 'scope count', method: 'GET', path: `${path}/count` }
  if (turn < 9) return send(random, 'scope create', 'POST', path, makeData(random, model, models))
  return { kind: 'scope delete', method: 'DELETE', path }
}

const makers: readonly (readonly [number, Maker])[] = [
  [3, create],
  [5, find],
  [1, findOne],
  [2, findById],
  [1, exists],
  [1, count],
  [2, patchById],
  [1, replaceById],
  [2, upsert],
  [1, upsertWithWhere],
  [1, updateAll],
  [0.6, deleteById]
]
const weight = makers.reduce((sum, [share]) => sum + share, 0)

function oneRequest(random: Random, models: readonly ModelPlan[], open: readonly ModelPlan[]): ConversationRequest {
  const model = random.pick(open)
  if (model.relations.length > 0 && random.chance(0.4)) return relationRequest(random, model, models)
  if (model.scopes.length > 0 && random.chance(0.25)) return scope(random, model, models)
  let left = (random.int(1000) / 1000) * weight
  const found = makers.find(([share]) => (left -= share) < 0)
  return (found?.[1] ?? find)(random, model, models)
}

/** The request, now and then for an answer in XML. */
function inSomeFormat(random: Random, request: ConversationRequest): ConversationRequest {
  if (request.method === 'HEAD' || !random.chance(0.05)) return request
  return { ...request, headers: { ...request.headers, accept: random.pick(['application/xml', 'text/xml']) } }
}

const isPart = (models: readonly ModelPlan[], part: ModelPlan): boolean =>
  models.some(({ relations }) =>
    relations.some(({ type, target }) => type.startsWith('embeds') && target === part.name)
  )

/** Requests to an application with these models: first some records for each, then whatever comes. */
export function makeConversation(
  random: Random,
  models: readonly ModelPlan[],
  length: number
): readonly ConversationRequest[] {
  const open = models.filter((model) => !isPart(models, model))
  const seeds = open.flatMap((model) =>
    Array.from({ length: 2 + random.int(2) }, (_, at) => {
      const id = model.textIds ? { id: 'abcd'.charAt(at) } : {}
      return send(random, 'create', 'POST', pathOf(model), { ...id, ...makeData(random, model, models, 0.7) })
    })
  )
  return [...seeds, ...Array.from({ length }, () => inSomeFormat(random, oneRequest(random, models, open)))]
}
