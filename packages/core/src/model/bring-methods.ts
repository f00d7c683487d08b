import type { Connector } from '../contract/connector.ts'
import type { ConnectorMethod } from '../contract/data-source.ts'
import { isOfRecords, shortName } from '../definition/method-table.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ModelConstructor, ModelInstance } from '../contract/model-instance.ts'

/**
 * Names of the static and instance methods with which code reads and writes records: all of them return promises. Their
 * aliases call them.
 */
export const dataAccessMethods = {
  ofModels: [
    'find',
    'findOne',
    'findById',
    'count',
    'aggregate',
    'exists',
    'create',
    'findOrCreate',
    'patchOrCreate',
    'replaceOrCreate',
    'replaceById',
    'upsertWithWhere',
    'updateAll',
    'destroyAll',
    'destroyById',
    'createChangeStream',
    'notifyObserversOf'
  ],
  ofRecords: ['save', 'patchAttributes', 'replaceAttributes', 'updateAttribute', 'destroy', 'reload']
} as const satisfies {
  readonly ofModels: readonly (keyof ModelConstructor)[]
  readonly ofRecords: readonly (keyof ModelInstance)[]
}

/**
 * Adds the methods that its connector provides to a model, replacing functions of the same names, as LoopBack does, and
 * removes those of an earlier connector: what they replaced is restored. How clients call a method is declared by the model
 * itself, else by the connector.
 */
export function bringMethods(model: ModelType, connector: Connector | undefined): void {
  for (const name of model.methods.brought) model.methods.takeBack(name)
  for (const [name, method] of methodsOf(connector, model)) add(model, name, method)
}

/**
 * Adds the connector's methods that a model does not have yet: some connectors only know them once they are connected.
 * Methods that the application has defined under these names meanwhile are kept.
 */
export function bringMoreMethods(model: ModelType, connector: Connector | undefined): void {
  const brought = new Set(model.methods.brought)
  for (const [name, method] of methodsOf(connector, model))
    if (!brought.has(name) && !hasOwnFunction(model, name)) add(model, name, method)
}

const methodsOf = (connector: Connector | undefined, model: ModelType): [string, ConnectorMethod][] =>
  Object.entries(connector?.methods?.(model) ?? {})

const ownerOf = ({ modelClass }: ModelType, name: string): object =>
  isOfRecords(name) ? modelClass.prototype : modelClass

/** The application put a function there, or on a model that this one extends. */
function hasOwnFunction(model: ModelType, name: string): boolean {
  const { base } = model
  // The first model of all is the library's.
  if (base === undefined) return false
  if (Object.hasOwn(ownerOf(model, name), shortName(name)) && !model.methods.brought.includes(name)) return true
  return hasOwnFunction(base, name)
}

function add(model: ModelType, name: string, { run, givesPromise, remote }: ConnectorMethod): void {
  const { methods, registry } = model
  const [owner, short] = [ownerOf(model, name), shortName(name)]
  const before = Object.getOwnPropertyDescriptor(owner, short)
  const value = givesPromise === true ? registry.offerMethod(run) : run
  Object.defineProperty(owner, short, { value, writable: true, configurable: true })
  const undo = (): void => {
    // A function that a script put there since is the application's.
    if (Reflect.get(owner, short) !== value) return
    Reflect.deleteProperty(owner, short)
    if (before !== undefined) Object.defineProperty(owner, short, before)
  }
  methods.bring(name, { spec: remote, undo })
}
