import type { ModelDefinition } from '@modelwire/core'
import { AccessContext, Principal } from '../access/access-context.ts'
import { ModuleNotProvided } from '../errors.ts'
import { refusedClass } from '../scripts/refuse-member.ts'
import { globalize } from './globalize.ts'
import { createPromiseCallback } from './promise-callback.ts'
import type { Facade } from './facade.ts'
import { refusingModule } from './refusing-module.ts'

type LoadModule = () => unknown

/** The files of LoopBack's own models. */
const modelFiles: Readonly<Record<string, string>> = {
  acl: 'ACL',
  'access-token': 'AccessToken',
  application: 'Application',
  email: 'Email',
  role: 'Role',
  'role-mapping': 'RoleMapping',
  scope: 'Scope',
  user: 'User'
}

/** A definition as its file would hold it. */
function definitionFile(facade: Facade, name: string): unknown {
  const model: unknown = Reflect.get(facade.current().app.loopback, name)
  const definition = Reflect.get(Object(model), 'settings') as ModelDefinition // a built-in model has it
  return JSON.parse(JSON.stringify(definition))
}

/** `loopback/common/models/user`: a function that makes a model what the built-in one is. Models that extend it are that already. */
function modelScript(facade: Facade, name: string): (model: unknown) => unknown {
  return (model) => {
    const builtIn: unknown = Reflect.get(facade.current().app.loopback, name)
    if (model === builtIn || Object.prototype.isPrototypeOf.call(Object(builtIn), Object(model))) return model
    throw new ModuleNotProvided(`the script of ${name} cannot be run on other models: extend it by "base": "${name}"`)
  }
}

/** LoopBack's own handlers by the names of their files. */
const handlerFiles: Readonly<Record<string, string>> = {
  context: 'context',
  'error-handler': 'errorHandler',
  favicon: 'favicon',
  rest: 'rest',
  static: 'static',
  status: 'status',
  token: 'token',
  'url-not-found': 'urlNotFound'
}

const utilsModule = (): object =>
  refusingModule(
    'loopback/lib/utils',
    { createPromiseCallback: () => createPromiseCallback },
    {
      uploadInChunks: 'use Array.prototype.slice and await each part',
      downloadInChunks: 'use skip and limit and await each part',
      concatResults: 'use Array.prototype.concat'
    }
  )

/** What scripts require of the inside of the package loopback, by name. */
export function loopbackModules(facade: Facade): Readonly<Record<string, LoadModule>> {
  const member =
    (name: string): LoadModule =>
    () =>
      facade.current().app.loopback[name]
  const files = Object.entries(modelFiles).map(([file, name]) => {
    return [`loopback/common/models/${file}.json`, () => definitionFile(facade, name)] as const
  })
  const scripts = Object.entries(modelFiles).map(([file, name]) => {
    return [`loopback/common/models/${file}`, () => modelScript(facade, name)] as const
  })
  const handlers = Object.entries(handlerFiles).map(([file, name]) => {
    return [`loopback/server/middleware/${file}`, member(name)] as const
  })
  return {
    'loopback/lib/model': member('Model'),
    'loopback/lib/persisted-model': member('PersistedModel'),
    'loopback/lib/globalize': () => globalize(),
    'loopback/lib/runtime': () => ({ isServer: true, isBrowser: false }),
    'loopback/lib/registry': () => refusedClass('loopback/lib/registry', 'use app.registry'),
    'loopback/lib/utils': utilsModule,
    'loopback/lib/access-context': () =>
      refusingModule('loopback/lib/access-context', {
        AccessContext: () => AccessContext,
        Principal: () => Principal,
        DEFAULT_SCOPES: () => ['DEFAULT']
      }),
    'loopback/package.json': () => ({ name: 'loopback', version: member('version')() }),
    'loopback-boot/package.json': () => ({ name: 'loopback-boot', version: '3.3.1' }),
    'strong-remoting/package.json': () => ({ name: 'strong-remoting', version: '3.17.0' }),
    'strong-remoting': () => remotingModule(),
    ...Object.fromEntries([...files, ...scripts, ...handlers])
  }
}

const shared = 'declare the methods of a model by Model.remoteMethod, and read them in Model.sharedClass'

/** `strong-remoting`: whatever it makes is a part of the application here. */
function remotingModule(): object {
  return refusingModule(
    'strong-remoting',
    { version: () => '3.17.0' },
    {
      create: 'use app.remotes()',
      SharedClass: shared,
      SharedMethod: shared,
      RemoteObjects: 'use app.remotes()',
      extend: shared,
      convert: 'declare the argument as "object" or "any", and convert it in the method',
      defineType: 'declare the argument as "object" or "any", and convert it in the method',
      getCurrentContext: 'pass what a call needs in its options'
    }
  )
}
