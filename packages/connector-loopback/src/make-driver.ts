import { ConnectorInvalid } from './errors.ts'
import type { JugglerDataSource } from './juggler/data-source.ts'
import { type AnyFunction, type Driver, isFunction, isObject, methodOf, partOf } from './juggler/driver.ts'
import { callWithCallback, type Results } from './juggler/with-callback.ts'

/** A connector's making: the promise of its end, which may be long after the connector is there. */
export interface Making {
  readonly done: Promise<void>
}

/**
 * Makes the connector of a data source from its module, as LoopBack does: `initialize(dataSource, callback)`, or a constructor of
 * settings. Most modules have made it when this returns, and connect afterwards.
 * @throws {ConnectorInvalid} the module is none
 */
export function makeDriver(module: unknown, dataSource: JugglerDataSource): Making {
  const initialize = methodOf(module, 'initialize') ?? methodOf(partOf(module, 'default'), 'initialize')
  if (initialize !== undefined) {
    const calling = callWithCallback(initialize, module, [dataSource])
    dataSource.adopt()
    return { done: initialized(dataSource, calling) }
  }
  const Constructor = [module, partOf(module, 'default')].find(isFunction)
  if (Constructor === undefined)
    throw new ConnectorInvalid(
      'the module is not a LoopBack connector: it exports neither initialize nor a constructor'
    )
  dataSource.connector = construct(Constructor, dataSource.settings)
  dataSource.adopt()
  return { done: initialized(dataSource, Promise.resolve([])) }
}

function construct(Constructor: AnyFunction, settings: Record<string, unknown>): Driver {
  const made: unknown = Reflect.construct(Constructor, [settings])
  if (isObject(made)) return made
  throw new ConnectorInvalid('the constructor of the connector did not make an object')
}

/** LB3: a result of false means that the connection is made later. */
async function initialized(dataSource: JugglerDataSource, calling: Promise<Results>): Promise<void> {
  const [result] = await calling
  if (dataSource.adopt() === undefined)
    throw new ConnectorInvalid(
      'the module is not a LoopBack connector: initialize set no connector on the data source',
      { key: dataSource.name }
    )
  dataSource.initialized = true
  dataSource.connecting = false
  dataSource.emit('initialized')
  if (dataSource.settings['lazyConnect'] === true || result === false || dataSource.connected) return
  dataSource.connected = true
  dataSource.emit('connected')
}
