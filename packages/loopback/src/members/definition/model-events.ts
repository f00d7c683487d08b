import { EventEmitter } from 'node:events'
import type { HookContext, ModelRegistry } from '@modelwire/core'

/** The emitter of a class; every model has its own. */
const emitters = new WeakMap<object, EventEmitter>()

/** The emitter of `Model.on`, `Model.once` and `Model.emit`. */
export function eventsOf(model: object): EventEmitter {
  const cached = emitters.get(model)
  if (cached !== undefined) return cached
  const made = new EventEmitter()
  made.setMaxListeners(0)
  emitters.set(model, made)
  return made
}

/**
 * Makes models emit `changed`, `deleted` and `deletedAll`, if the version has these events.
 * @see recording version2/events
 */
export function emitModelEvents(registry: ModelRegistry): void {
  if (!registry.rules.emitsModelEvents) return
  const { hooks } = registry.typeOf('PersistedModel')
  hooks.observe('after save', (context) => {
    if (context.instance !== undefined) emitterOf(context).emit('changed', context.instance)
  })
  hooks.observe('after delete', (context) => {
    const where = context.where ?? {}
    const id = idIn(registry, context)
    if (id !== undefined) emitterOf(context).emit('deleted', id)
    emitterOf(context).emit('deletedAll', Object.keys(where).length === 0 ? undefined : where)
  })
}

function emitterOf({ Model }: HookContext): EventEmitter {
  return eventsOf(Model as object) // core puts the class of a model there
}

/** The id of a deletion of one record: its condition names the id alone. */
function idIn(registry: ModelRegistry, { Model, where = {} }: HookContext): unknown {
  const name = (Model as { modelName: string }).modelName // core puts the class of a model there
  const id = registry.find(name)?.idProperty?.name
  const [only, ...others] = Object.keys(where)
  const value = only === id && others.length === 0 && id !== undefined ? where[id] : undefined
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? undefined : value
}
