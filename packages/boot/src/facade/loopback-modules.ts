import type { ModelDefinition } from '@modelwire/core'
import { createPromiseCallback } from './promise-callback.ts'
import type { Facade } from './facade.ts'
import { globalizeModule } from './globalize-module.ts'
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

/** What scripts require of the inside of the package loopback, by name. */
export function loopbackModules(facade: Facade): Readonly<Record<string, LoadModule>> {
  const member =
    (name: string): LoadModule =>
    () =>
      facade.current().app.loopback[name]
  const files = Object.entries(modelFiles).map(([file, name]) => {
    return [`loopback/common/models/${file}.json`, () => definitionFile(facade, name)] as const
  })
  return {
    'loopback/lib/globalize': globalizeModule,
    'loopback/lib/model': member('Model'),
    'loopback/lib/persisted-model': member('PersistedModel'),
    'loopback/lib/utils': () =>
      refusingModule(
        'loopback/lib/utils',
        { createPromiseCallback: () => createPromiseCallback },
        {
          uploadInChunks: 'use Array.prototype.slice and await each part',
          downloadInChunks: 'use skip and limit and await each part',
          concatResults: 'use Array.prototype.concat'
        }
      ),
    'loopback/package.json': () => ({ name: 'loopback', version: member('version')() }),
    'loopback-boot/package.json': () => ({ name: 'loopback-boot', version: '3.3.1' }),
    'strong-remoting/package.json': () => ({ name: 'strong-remoting', version: '3.17.0' }),
    'strong-remoting': () => remotingModule(),
    ...Object.fromEntries(files)
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
