import type { Description, Operation, RelationDescription } from './description.ts'

/** The parts of a method name such as `Customer.prototype.__create__orders`. */
export interface OperationName {
  readonly model: string
  readonly isPrototype: boolean
  /** Such as `patchAttributes`, or `__create__` for a relation's. */
  readonly verb: string
  /** Name of the relation. */
  readonly relation?: string
}

/** Reads the name of a method. */
export function nameOf({ method }: Operation): OperationName {
  const [model = '', ...rest] = method.split('.')
  const isPrototype = rest[0] === 'prototype'
  const name = rest.slice(isPrototype ? 1 : 0).join('.')
  const [, verb, relation] = /^(__\w+?__)(.+)$/.exec(name) ?? []
  if (verb === undefined || relation === undefined) return { model, isPrototype, verb: name }
  return { model, isPrototype, verb, relation }
}

/** The relations that an operation goes along; a nested route such as `__get__tags__notes` has two. */
export function relationsOf(
  { models }: Description,
  { model, relation = '' }: OperationName
): readonly { readonly of: string; readonly name: string; readonly described: RelationDescription }[] {
  const { relations = {} } = models[model] ?? {}
  const direct = relations[relation]
  if (direct !== undefined) return [{ of: model, name: relation, described: direct }]
  const [first, described] = Object.entries(relations).find(([name]) => relation.startsWith(`${name}__`)) ?? []
  if (first === undefined || described === undefined) return []
  const name = relation.slice(first.length + 2)
  const second = models[described.target]?.relations[name]
  if (second === undefined) return []
  return [
    { of: model, name: first, described },
    { of: described.target, name, described: second }
  ]
}

/** The model that a relation's operation answers; undefined when it is none. */
export function targetOf(description: Description, name: OperationName): string | undefined {
  return relationsOf(description, name).at(-1)?.described.target
}

/** The same text for operations that do the same on different models; a method of an application keeps its name. */
export function kindOfOperation({ model, isPrototype, verb, relation }: OperationName): string {
  const name = relation === undefined ? verb : `${verb}*`
  const isBuiltIn = relation !== undefined || builtIn.has(verb)
  return `${isBuiltIn ? '' : `${model}.`}${isPrototype ? 'prototype.' : ''}${name}`
}

const builtIn = new Set(
  (
    'create patchOrCreate replaceOrCreate upsertWithWhere exists findById replaceById find findOne updateAll deleteById ' +
    'count patchAttributes updateAttributes createChangeStream login logout confirm resetPassword changePassword ' +
    'setPassword verify createMany deleteAll destroyAll upsert updateOrCreate'
  ).split(' ')
)

const destructive = /delete|destroy|remove|unlink|logout|reset|clear|drop|disable|setpassword|changepassword/i

/** When an operation is sent: reads first, what destroys last. */
export function stageOf(operation: Operation): 'read' | 'write' | 'destroy' {
  if (operation.verb === 'delete' || destructive.test(operation.method.split('.').slice(1).join('.'))) return 'destroy'
  return operation.verb === 'get' || operation.verb === 'head' ? 'read' : 'write'
}
