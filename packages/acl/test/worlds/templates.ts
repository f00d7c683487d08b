import type { Row } from './sight.ts'

/** A request as it is sent. */
export interface Sent {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly payload?: object
}

/** What templates of requests are filled with. */
export interface Filling {
  readonly root: string
  /** The path of one record, of its relation, of one related record and of a relation of this one. */
  readonly one: string
  readonly nested: string
  readonly related: string
  readonly below: string
  /** Filters and conditions as they are written. */
  readonly query: string
  readonly queryOfRelated: string
  readonly where: string
  readonly whereOfRelated: string
  readonly scoped: string
  /** Some values of a record, of a related one, or all of them. */
  readonly part: Row
  readonly partOfRelated: Row
  readonly whole: Row
  readonly id: unknown
  readonly other: unknown
}

/** Makes a request. */
export type Template = (filling: Filling) => Sent

const get =
  (urlOf: (filling: Filling) => string): Template =>
  (filling) => ({ method: 'GET', url: urlOf(filling) })

const reading: readonly Template[] = [
  get(({ root, query }) => `${root}?filter=${query}`),
  get(({ root, query }) => `${root}?filter=${query}`),
  get(({ root, query }) => `${root}?filter=${query}`),
  get(({ root, query }) => `${root}?filter=${query}`),
  get(({ root, query }) => `${root}/findOne?filter=${query}`),
  get(({ root, where }) => `${root}/count?where=${where}`),
  get(({ root, where }) => `${root}/count?where=${where}`),
  get(({ one, scoped }) => `${one}?filter=${scoped}`),
  get(({ one, scoped }) => `${one}?filter=${scoped}`),
  get(({ one }) => one),
  get(({ one }) => `${one}/exists`),
  ({ one }) => ({ method: 'HEAD', url: one }),
  get(() => `/users/7?filter={"include":"owned"}`),
  get(({ query }) => `/users/7?filter={"include":{"relation":"owned","scope":${query}}}`),
  get(() => `/users?filter={"include":"owned"}`),
  get(({ query }) => `/users/7/owned?filter=${query}`)
]

const writing: readonly Template[] = [
  ({ root, whole }) => ({ method: 'POST', url: root, payload: whole }),
  ({ root, part, id }) => ({ method: 'POST', url: root, payload: { id, ...part } }),
  ({ root, whole, part, other }) => ({ method: 'POST', url: root, payload: [whole, { id: other, ...part }] }),
  ({ root, part, id }) => ({ method: 'PATCH', url: root, payload: { id, ...part } }),
  ({ root, whole }) => ({ method: 'PUT', url: root, payload: whole }),
  ({ root, part, id }) => ({ method: 'PUT', url: root, payload: { id, ...part } }),
  ({ root, part, id }) => ({ method: 'POST', url: `${root}/replaceOrCreate`, payload: { id, ...part } }),
  ({ one, part }) => ({ method: 'PATCH', url: one, payload: part }),
  ({ one, part }) => ({ method: 'PATCH', url: one, payload: part }),
  ({ one, whole }) => ({ method: 'PUT', url: one, payload: whole }),
  ({ one, part }) => ({ method: 'PUT', url: one, payload: part }),
  ({ one, part }) => ({ method: 'POST', url: `${one}/replace`, payload: part }),
  ({ root, where, part, id }) => ({
    method: 'POST',
    url: `${root}/upsertWithWhere?where=${where}`,
    payload: { id, ...part }
  }),
  ({ root, where, part }) => ({ method: 'POST', url: `${root}/upsertWithWhere?where=${where}`, payload: part }),
  ({ root, where, part }) => ({ method: 'POST', url: `${root}/update?where=${where}`, payload: part }),
  ({ root, where, part }) => ({ method: 'POST', url: `${root}/update?where=${where}`, payload: part }),
  ({ one }) => ({ method: 'DELETE', url: one })
]

const toParent: readonly Template[] = [
  get(({ nested }) => nested),
  get(({ nested }) => nested),
  get(({ nested, below }) => `${nested}/${below}`)
]

const toOne: readonly Template[] = [
  ...toParent,
  ({ nested, partOfRelated, other }) => ({ method: 'POST', url: nested, payload: { id: other, ...partOfRelated } }),
  ({ nested, partOfRelated }) => ({ method: 'PUT', url: nested, payload: partOfRelated }),
  ({ nested }) => ({ method: 'DELETE', url: nested })
]

const toMany: readonly Template[] = [
  get(({ nested, queryOfRelated }) => `${nested}?filter=${queryOfRelated}`),
  get(({ nested, queryOfRelated }) => `${nested}?filter=${queryOfRelated}`),
  get(({ nested }) => nested),
  get(({ nested, whereOfRelated }) => `${nested}/count?where=${whereOfRelated}`),
  get(({ nested }) => `${nested}/count`),
  get(({ related }) => related),
  get(({ related, below, queryOfRelated }) => `${related}/${below}?filter=${queryOfRelated}`),
  ({ nested, partOfRelated, other }) => ({ method: 'POST', url: nested, payload: { id: other, ...partOfRelated } }),
  ({ nested }) => ({ method: 'DELETE', url: nested }),
  ({ related, partOfRelated }) => ({ method: 'PUT', url: related, payload: partOfRelated }),
  ({ related, partOfRelated }) => ({ method: 'PUT', url: related, payload: partOfRelated }),
  ({ related }) => ({ method: 'DELETE', url: related }),
  ({ related, below, part }) => ({ method: 'POST', url: `${related}/${below}`, payload: part }),
  ({ related, below }) => ({ method: 'DELETE', url: `${related}/${below}` })
]

const linking: readonly Template[] = [
  ({ nested, other }) => ({ method: 'HEAD', url: `${nested}/rel/${String(other)}` }),
  ({ nested, other }) => ({ method: 'PUT', url: `${nested}/rel/${String(other)}` }),
  ({ nested, other }) => ({ method: 'DELETE', url: `${nested}/rel/${String(other)}` })
]

/** The requests that a relation has routes for, by its kind. */
export function templatesFor(relation: { readonly type?: unknown; readonly through?: unknown }): readonly Template[] {
  if (relation.type === 'belongsTo') return toParent
  if (relation.type === 'hasOne') return toOne
  return relation.type === 'hasMany' && relation.through === undefined ? toMany : [...toMany, ...linking]
}

/** The requests that every model has routes for: those that read twice as often as those that write. */
export const templatesOfModels: readonly Template[] = [...reading, ...reading, ...writing]
