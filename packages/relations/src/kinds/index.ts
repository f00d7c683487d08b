// The kinds of relations: a row each.
export { belongsTo } from './belongs-to.ts'
export { hasOne } from './has-one.ts'
export { hasMany } from './has-many.ts'
// The model between those of `hasAndBelongsToMany` may have been made by core; it behaves as any other.
export { hasManyThrough, hasManyThrough as hasAndBelongsToMany } from './has-many-through.ts'
export { referencesMany } from './references-many.ts'
export { embedsOne } from './embeds-one.ts'
export { embedsMany } from './embeds-many.ts'
