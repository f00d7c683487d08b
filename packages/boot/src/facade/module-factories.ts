import { ModuleNotProvided } from '../errors.ts'
import type { Facade } from './facade.ts'

/** What scripts may require, each made when the first of them does. */
export type ModuleFactories = Readonly<Record<string, () => unknown>>

/** The modules of LoopBack that scripts of its applications require. */
export function moduleFactories(facade: Facade, main: ModuleFactories): ModuleFactories {
  const member = (name: string) => (): unknown => Reflect.get<object, string>(facade.current().app.loopback, name)
  return {
    ...main,
    'loopback/lib/loopback': () => main['loopback']?.(),
    'loopback/lib/model': member('Model'),
    'loopback/lib/persisted-model': member('PersistedModel'),
    'loopback-datasource-juggler': () => partsOf(member, 'loopback-datasource-juggler', jugglerParts),
    'strong-remoting': () => partsOf(member, 'strong-remoting', []),
    'loopback-component-explorer': () => explorerFunction(facade),
    'loopback-component-oauth2': () => provided(facade, 'loopback-component-oauth2')
  }
}

/** What scripts use of the module loopback-datasource-juggler; `app.loopback` has it, too. */
const jugglerParts: readonly string[] = ['DataSource', 'GeoPoint', 'ModelBuilder', 'ValidationError', 'Connector']

/** A module whose members are those of `app.loopback`; another one is refused when it is used. */
function partsOf(member: (name: string) => () => unknown, module: string, names: readonly string[]): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === 'symbol' || name === 'then' || name === '__esModule') return undefined
        if (names.includes(name)) return member(name)()
        throw new ModuleNotProvided(
          `${module} has no member "${name}" here: use app, app.loopback or Model in its place`
        )
      }
    }
  )
}

function provided(facade: Facade, name: string): unknown {
  const application = facade.current()
  // Extensions provide their modules with the models.
  void application.app.registry
  return application.modules.get(name)
}

/** `require('loopback-component-explorer')(app, { mountPath })`. */
function explorerFunction(facade: Facade): (app: unknown, options?: object) => void {
  return (app, options = {}) => facade.applicationOf(app).addComponent('loopback-component-explorer', { ...options })
}
