import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Model } from '@modelwire/core'
import {
  type ConfiguratorClass,
  configuratorClass,
  generateKey,
  type PassportApp,
  passportDefinitions,
  type PassportHost
} from '@modelwire/passport'
import { resolveFrom } from '@modelwire/loopback/express'
import { type AppFolder, isFolder } from '../../read/files/app-folder.ts'
import type { LoopBackApplication } from '../application/loopback-application.ts'
import type { Facade } from './facade.ts'
import { passportModule } from '../extensions/passport-extension.ts'
import { callWithResults, preparePassportModel } from '../../read/models/passport-files.ts'

/** Passport may be installed for LoopBack's package alone. */
function ownPackages({ root }: AppFolder): readonly string[] {
  const path = join(root, 'node_modules', passportModule)
  return isFolder(path) ? [realpathSync(path)] : []
}

function hostOf({ folder, app }: LoopBackApplication): PassportHost {
  const { root, serverDir } = folder
  const load = (name: string): unknown => {
    const path = resolveFrom([serverDir, root, ...ownPackages(folder)], name)
    return path === undefined ? undefined : (createRequire(path)(path) as unknown)
  }
  return { load, call: callWithResults, warn: app.warn }
}

/** LB3: required by a script, the models have no rules of their own, unlike those of the package's folder of models. */
function defineModels({ app }: LoopBackApplication): Readonly<Record<string, unknown>> {
  const models = passportDefinitions.map(({ acls: _acls, plural: _plural, ...definition }) => {
    const { name } = definition
    // A registry knows models by other names as well.
    const found = app.registry.findModel(name) as typeof Model | undefined
    if (found?.modelName === name) return [name, found] as const
    const made = app.registry.createModel({ ...definition, public: false })
    preparePassportModel(made)
    return [name, made] as const
  })
  return Object.fromEntries(models)
}

function configurator(facade: Facade): ConfiguratorClass {
  return configuratorClass((given) => {
    const application = facade.applicationOf(given)
    const app = application.app as unknown as PassportApp // it has the members of Express and LoopBack's phases
    return { app, host: hostOf(application) }
  })
}

/**
 * The modules of loopback-component-passport that scripts may require, by name.
 * @see LoopBack 3: loopback-component-passport, lib/index.js
 */
export function passportModules(facade: Facade): Readonly<Record<string, () => unknown>> {
  let made: ConfiguratorClass | undefined
  const getConfigurator = (): ConfiguratorClass => (made ??= configurator(facade))
  const definitions = passportDefinitions.map((definition) => {
    const file = definition.name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()
    return [`${passportModule}/lib/models/${file}.json`, () => structuredClone(definition)] as const
  })
  return {
    [passportModule]: () => ({ ...defineModels(facade.current()), PassportConfigurator: getConfigurator() }),
    [`${passportModule}/lib/passport-configurator`]: getConfigurator,
    [`${passportModule}/lib/models/utils`]: () => ({ generateKey }),
    [`${passportModule}/package.json`]: () => ({ name: passportModule, version: '3.12.0' }),
    ...Object.fromEntries(definitions)
  }
}
