import { isOfModel } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { passportDefinitions } from '@modelwire/passport'
import type { BootContext, BootExtension, Component } from '../../extension.ts'
import type { ModelMentions } from './oauth2-extension.ts'

/** The module that scripts of LoopBack applications require. */
export const passportModule = 'loopback-component-passport'

/** A script that is not run may require the module: the models that it would define are there where files mention them. */
function defineMentioned({ registry }: BootContext, { files, configured }: ModelMentions): void {
  // They decide who is signed in: what they hold is read where it is written.
  for (const { name } of passportDefinitions) registry.accessModels.add(name)
  const bases = Array.from(files.values(), ({ definition }) => definition.base)
  for (const { acls: _acls, ...definition } of passportDefinitions) {
    const { name } = definition
    const isMentioned = configured.has(name) || bases.includes(name)
    if (isMentioned && !files.has(name) && registry.find(name) === undefined)
      registry.define({ ...definition, public: false })
  }
}

const isOpen = ({ name, definition, rules, registry }: ModelType): boolean =>
  definition.public === true &&
  rules.length === 0 &&
  passportDefinitions.some(
    (root) => registry.find(root.name) !== undefined && isOfModel(registry.typeOf(name), root.name)
  )

/** Warns once at the start which models expose the credentials that providers issued for users. */
function warnAboutPublicModels({ registry, app }: BootContext): void {
  const open = registry.names().filter((name) => isOpen(registry.typeOf(name)))
  if (open.length > 0)
    app.warn(
      `passport: ${open.join(', ')}: anonymous clients can read the credentials of all users: add acls to the models, or set public to false`
    )
}

/** LoopBack's passport in an application: defines its models if scripts are not run, and warns about insecure settings. */
export function passportExtension(mentions: () => ModelMentions): BootExtension {
  return {
    name: 'passport',
    beforeModelFiles(context) {
      if (context.folder.source !== undefined) defineMentioned(context, mentions())
    },
    beforeRest: warnAboutPublicModels
  }
}

/**
 * A component without effect: providers are configured by scripts, and LoopBack's package reads nothing from
 * `component-config.json`.
 */
export const passportComponent: Component = ({ add }, params) => {
  const place = { file: 'server/component-config.json', key: passportModule }
  if (Object.keys(params).length > 0)
    add('ignored', place, 'providers are configured in a script', {
      effect: 'info',
      advice: 'call configureProvider of a PassportConfigurator'
    })
}
