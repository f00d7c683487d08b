import { makeFilter, makeWhere, writeQuery } from './make-filter.ts'
import { makeData, makeId } from './make-values.ts'
import type { ConversationRequest, ModelPlan, RelationPlan, RelationType } from './plan.ts'
import type { Random } from './random.ts'
import { send } from './write-request.ts'

interface Place {
  readonly random: Random
  readonly relation: RelationPlan
  readonly models: readonly ModelPlan[]
  readonly target: ModelPlan
  /** The path of the relation below a record. */
  readonly path: string
}

type Maker = (place: Place) => ConversationRequest

const kindOf = ({ relation }: Place, action: string): string => `${relation.type} ${action}`

const get: Maker = (place) => ({ kind: kindOf(place, 'get'), method: 'GET', path: place.path })

const list: Maker = (place) => {
  const { random, target, models, path } = place
  const query = random.chance(0.5) ? writeQuery(random, 'filter', makeFilter(random, target, models, 0)) : ''
  return { kind: kindOf(place, 'list'), method: 'GET', path: path + query }
}

const count: Maker = (place) => {
  const { random, target, path } = place
  const query = random.chance(0.4) ? writeQuery(random, 'where', makeWhere(random, target)) : ''
  return { kind: kindOf(place, 'count'), method: 'GET', path: `${path}/count${query}` }
}

const create: Maker = (place) => {
  const { random, target, models, path } = place
  const id = target.textIds ? { id: makeId(random, target) } : {}
  return send(random, kindOf(place, 'create'), 'POST', path, { ...id, ...makeData(random, target, models) })
}

const update: Maker = (place) => {
  const { random, target, models, path } = place
  return send(random, kindOf(place, 'update'), 'PUT', path, makeData(random, target, models, 0.4))
}

const destroy: Maker = (place) => ({ kind: kindOf(place, 'destroy'), method: 'DELETE', path: place.path })

const idBelow = ({ random, target, path }: Place): string => `${path}/${makeId(random, target)}`

const findById: Maker = (place) => ({ kind: kindOf(place, 'findById'), method: 'GET', path: idBelow(place) })

const updateById: Maker = (place) => {
  const { random, target, models } = place
  return send(random, kindOf(place, 'updateById'), 'PUT', idBelow(place), makeData(random, target, models, 0.3))
}

const destroyById: Maker = (place) => ({ kind: kindOf(place, 'destroyById'), method: 'DELETE', path: idBelow(place) })

const relPath = ({ random, target, path }: Place): string => `${path}/rel/${makeId(random, target)}`

const link: Maker = (place) => {
  const { random, relation, models } = place
  const between = models.find(({ name }) => name === relation.through)
  const data = between !== undefined && random.chance(0.5) ? makeData(random, between, models, 0.4) : undefined
  if (data === undefined) return { kind: kindOf(place, 'link'), method: 'PUT', path: relPath(place) }
  return send(random, kindOf(place, 'link'), 'PUT', relPath(place), data)
}

const unlink: Maker = (place) => ({ kind: kindOf(place, 'unlink'), method: 'DELETE', path: relPath(place) })
const exists: Maker = (place) => ({ kind: kindOf(place, 'exists'), method: 'HEAD', path: relPath(place) })

const ofMany = [list, list, list, count, create, create, findById, updateById, destroyById, destroy]
const joined = [...ofMany, link, link, link, unlink, exists]
const ofOne = [get, get, create, create, update, destroy]

const makers: Readonly<Record<RelationType, readonly Maker[]>> = {
  belongsTo: [get],
  hasOne: ofOne,
  embedsOne: ofOne,
  hasMany: ofMany,
  embedsMany: ofMany.filter((maker) => maker !== destroy),
  through: joined,
  hasAndBelongsToMany: joined,
  // LoopBack deletes all records of the other model there: nothing could be compared afterwards.
  referencesMany: joined.filter((maker) => maker !== destroy)
}

function nestedPath({ random, relation, target, path }: Place): Place | undefined {
  const below = target.relations.filter((one) => one.target !== undefined)
  const single = ['belongsTo', 'hasOne', 'embedsOne'].includes(relation.type)
  if (below.length === 0) return undefined
  const next = random.pick(below)
  return {
    random,
    relation: next,
    models: [],
    target,
    path: `${path}${single ? '' : `/${makeId(random, target)}`}/${next.name}`
  }
}

/** A request to a route of one of the model's relations, also of relations nested below one. */
export function relationRequest(random: Random, model: ModelPlan, models: readonly ModelPlan[]): ConversationRequest {
  const relation = random.pick(model.relations)
  const target = models.find(({ name }) => name === relation.target) ?? model
  const path = `/api/${model.name}s/${makeId(random, model)}/${relation.name}`
  const place: Place = { random, relation, models, target, path }
  const nested = model.nested.includes(relation.name) && random.chance(0.5) ? nestedPath(place) : undefined
  const last = nested && models.find(({ name }) => name === nested.relation.target)
  if (nested === undefined || last === undefined) return random.pick(makers[relation.type])(place)
  const request = random.pick(makers[nested.relation.type])({ ...nested, models, target: last })
  return { ...request, kind: `nested ${request.kind}` }
}
