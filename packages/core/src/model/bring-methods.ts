import type { Connector } from '../connector/connector.ts'
import type { ConnectorMethod } from '../connector/methods/connector-method.ts'
import { isOfRecords, shortName } from '../operations/method-name.ts'
import type { ModelType } from './model-type.ts'

/**
 * Gives a model the methods that its connector brings, in place of functions of the same names, as LoopBack does, and takes away
 * those that an earlier connector brought. How clients call a method is what the model itself declares, else what the connector says.
 */
export function bringMethods(model: ModelType, connector: Connector | undefined): void {
  for (const name of model.methods.brought) remove(model, name)
  bringMoreMethods(model, connector)
}

/** Gives a model those methods of its connector that it has not yet: some connectors know them once they are connected. */
export function bringMoreMethods(model: ModelType, connector: Connector | undefined): void {
  const brought = new Set(model.methods.brought)
  for (const [name, method] of Object.entries(connector?.methods?.(model) ?? {}))
    if (!brought.has(name)) add(model, name, method)
}

const ownerOf = ({ modelClass }: ModelType, name: string): object =>
  isOfRecords(name) ? modelClass.prototype : modelClass

function add(model: ModelType, name: string, { run, givesPromise, remote }: ConnectorMethod): void {
  const { methods, registry } = model
  const value = givesPromise === true ? registry.offerMethod(run) : run
  Object.defineProperty(ownerOf(model, name), shortName(name), { value, writable: true, configurable: true })
  methods.bring(name, remote)
}

function remove(model: ModelType, name: string): void {
  Reflect.deleteProperty(ownerOf(model, name), shortName(name))
  model.methods.takeBack(name)
}
