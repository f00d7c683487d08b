import { ScriptArgumentInvalid } from '../../errors.ts'
import { isFunction } from '../../callback-bridge.ts'
import { installMembers, type MemberRow, setOwnMember } from '../../script-members.ts'
import { sharedClassOf } from '../remoting/shared-class.ts'
import { eventsOf } from '../definition/model-events.ts'
import type { Model, RelationDefinition } from '@modelwire/core'
import { type ResolvedRelation, typeOfClass } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { InstalledRelations, NestingOptions } from '@modelwire/relations'

type DeclaredKind = Pick<ResolvedRelation, 'embeds' | 'many'>

function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The name of a relation that a script gives none. @see LoopBack 3: lib/relation-definition.js */
function defaultName({ embeds, many }: DeclaredKind, { name, plural }: ModelType): string {
  if (embeds) return `${lowered(name)}${many ? 'List' : 'Item'}`
  return lowered(many ? plural : name)
}

/** The name of a model that is given as its class; the class, where another model has the name. */
function referenceTo(model: unknown): unknown {
  const type = typeOfClass(model)
  return type === undefined || type.registry.find(type.name) !== type ? model : type.name
}

/** The definition behind `Author.hasMany(Book, { as: 'books' })` or `Author.hasMany('books', { model: 'Book' })`. */
function readDeclaration(
  [type, kind]: readonly [string, DeclaredKind],
  target: unknown,
  params: unknown
): { name: string; definition: RelationDefinition } {
  const { as, ...settings } = isPlainObject(params) ? params : {}
  const model = typeOfClass(target)
  const defaultSettings = model === undefined ? target : defaultName(kind, model)
  const name = as ?? defaultSettings
  if (typeof name !== 'string') throw new ScriptArgumentInvalid(`${type} requires a model or its name`)
  const through = referenceTo(settings['through'])
  const named = referenceTo(settings['model'] ?? target)
  const written = { ...settings, type, model: named, ...(through === undefined ? {} : { through }) }
  return { name, definition: written as RelationDefinition } // its keys are checked when it is resolved
}

/** A relation as scripts read it in `Author.relations`. */
function viewOf(relation: ResolvedRelation): Record<string, unknown> {
  const { name, type, many, from, to, keyFrom, keyTo, through } = relation
  const between = through && { modelThrough: through.model.modelClass, keyThrough: through.keyTo }
  return {
    name,
    type,
    modelFrom: from.modelClass,
    keyFrom,
    modelTo: to?.modelClass,
    keyTo,
    multiple: many,
    ...between
  }
}

function relationsView(model: ModelType): Record<string, unknown> {
  const { relations } = model.registry
  return Object.fromEntries(Array.from(relations.of(model), ([name, relation]) => [name, viewOf(relation)]))
}

/** Reads the arguments of `nestRemoting(name, options, filter)`. */
function readNesting(options: unknown, filter: unknown): NestingOptions {
  const { pathName, paramName, hooks, filterMethod } = isPlainObject(options) ? options : {}
  const choose = [filter, options, filterMethod].find(isFunction)
  return {
    ...(typeof pathName === 'string' && { pathName }),
    ...(typeof paramName === 'string' && { paramName }),
    ...(hooks === false && { hooks }),
    ...(choose && { filterMethod: (method, relation) => choose(method, viewOf(relation)) })
  }
}

/** Adds LoopBack's methods that declare relations, scopes and nested routes to the models of an application. */
export function addRelationMethods(root: typeof Model, relations: InstalledRelations): void {
  const kinds = Array.from(relations.types, (declared): MemberRow<typeof Model> => {
    const declare = ({ modelType }: typeof Model, target: unknown, params: unknown): void => {
      const { name, definition } = readDeclaration(declared, target, params)
      relations.declare(modelType, name, definition)
    }
    return [declared[0], 'method', declare]
  })
  const nest = (model: typeof Model, name: unknown, options: unknown, filter: unknown): void => {
    relations.nest(model.modelType, String(name), readNesting(options, filter))
    eventsOf(model).emit('remoteMethodAdded', sharedClassOf(model.modelType))
  }
  installMembers<typeof Model>(root, [
    ...kinds,
    ['scope', 'method', (model, name: unknown, scope) => relations.declareScope(model.modelType, String(name), scope)],
    ['nestRemoting', 'method', nest],
    [
      'relations',
      'getter',
      ({ modelType }) => relationsView(modelType),
      (model, value) => setOwnMember(model, 'relations', value, false)
    ]
  ])
}
