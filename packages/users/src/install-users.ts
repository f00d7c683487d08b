import { availableParallelism } from 'node:os'
import type { ModelRegistry } from '@modelwire/core'
import { isDropped, isOfModel, registryOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { accountMethods } from './accounts/account-methods.ts'
import { addAccountFunctions } from './accounts/account-functions.ts'
import type { AccountParts, WrapMethod } from './accounts/account-parts.ts'
import { accountRules, observeAccounts, observeEmailCase, observeTokens } from './accounts/observe-accounts.ts'
import { redirectConfirmed } from './accounts/verify-options.ts'
import { addApplicationFunctions } from './applications/application-functions.ts'
import { applicationModel, observeApplications } from './applications/application-model.ts'
import { sessionStart } from './identity/read-token.ts'
import { accessTokenModel, userModel } from './models/definitions.ts'
import type { UsersSettings } from './options.ts'
import { hashingOf, makePasswords } from './passwords/passwords.ts'
import { makePurgeTokens } from './tokens/purge-tokens.ts'
import { accountSettings } from './accounts/account-settings.ts'

/** Options that bring back what LoopBack leaves open, with what that is. */
const relaxations: readonly (readonly [(options: UsersSettings) => boolean, string])[] = [
  [({ revealAccounts }) => revealAccounts, 'revealAccounts: a password reset reveals which addresses have an account'],
  [
    ({ confirmRedirects }) => confirmRedirects === true,
    'confirmRedirects: links of confirm can redirect to any server'
  ],
  [({ protectAccounts }) => !protectAccounts, 'protectAccounts: clients can mark their own email address as verified'],
  [({ resetTokenOnce }) => !resetTokenOnce, 'resetTokenOnce: a reset token can be used until it expires'],
  [
    ({ tokens }) => tokens.cookieOrigins === true,
    'tokens.cookieOrigins: pages of any site can act with the token in a cookie'
  ],
  [({ rateLimit }) => rateLimit === false, 'rateLimit: nothing limits how often passwords can be tried']
]

/** How users are installed, in addition to their options. */
export interface Installing extends Omit<AccountParts, 'registry' | 'passwords' | 'options'> {
  readonly options: UsersSettings
  /** Wraps account functions for calls by the application. */
  readonly wrap: WrapMethod
}

/** The users of one registry. */
export interface InstalledUsers {
  /**
   * Declares the remote methods of all user models. Call it when they are defined, before scripts change them; later models
   * are handled before routes are mounted.
   */
  readonly complete: () => void
}

const rootName = 'User'

/** Names of models that the application defines itself, later; read again whenever needed. */
type OwnModels = Pick<ReadonlySet<string>, 'has'>

function defineModels(registry: ModelRegistry, own: OwnModels): void {
  for (const model of [accessTokenModel, userModel(registry.version)])
    if (registry.find(model.name) === undefined && !own.has(model.name)) registry.define(model)
}

/** Defines the model of client applications. One that the application defines itself stays what it is. */
function defineApplications(registry: ModelRegistry, own: OwnModels, wrap: WrapMethod): void {
  const { name } = applicationModel
  if (registry.find(name) !== undefined || own.has(name)) return
  registry.define(applicationModel)
  const model = registry.typeOf(name)
  observeApplications(model)
  addApplicationFunctions(model.modelClass, wrap)
}

/** Declares the remote methods of a user model, except for those that the application declared itself. */
function declareMethods(model: ModelType): void {
  for (const [name, spec] of Object.entries(accountMethods(model)))
    if (!model.methods.specs.has(name)) model.methods.declare(name, { ...spec, predefined: true })
  // Models that were defined before this was installed took over no rules.
  model.rules.push(...accountRules.filter((rule) => !model.rules.includes(rule) && !isDropped(model, rule)))
  registryOf(model).remoteHooks.add('after', `${model.name}.confirm`, redirectConfirmed)
  observeEmailCase(model)
}

/** True for a user model whose tokens do not name it. */
const hasPlainTokens = (model: ModelType): boolean =>
  model.definition.public !== false &&
  model.collection !== undefined &&
  model.registry.relations.of(model).get('accessTokens')?.discriminator === undefined

/** Warns of user models whose users are taken for each other where their ids are the same. */
function warnAboutSharedTokens(models: readonly ModelType[], warn: (message: string) => void): void {
  const shared = models.filter(hasPlainTokens)
  const names = shared.map(({ name }) => name).join(', ')
  if (shared.length > 1)
    warn(
      `users: tokens of ${names} do not distinguish users with the same id: make the relation accessTokens polymorphic`
    )
}

/** Lets tokens hold when their session began, where sessions have a greatest age. */
function declareSessionStart(
  models: readonly ModelType[],
  { accessTokenModel: own, maxSessionAge }: UsersSettings
): void {
  if (maxSessionAge === undefined) return
  const isOfTokens = (model: ModelType): boolean => isOfModel(model, accessTokenModel.name) || model.name === own
  for (const { registry, name, byName } of models.filter(isOfTokens))
    if (!byName.has(sessionStart)) registry.defineProperty(name, sessionStart, { type: 'date' })
}

const modelsOf = (registry: ModelRegistry): readonly ModelType[] =>
  registry.names().map((name) => registry.typeOf(name))

/**
 * Models with accounts.
 *
 * LB3: a model of one's own that is called User is a plain one; it neither hashes passwords nor has a login.
 */
function userModelsOf(registry: ModelRegistry, own: OwnModels): readonly ModelType[] {
  if (own.has(rootName)) return []
  return modelsOf(registry).filter((model) => isOfModel(model, rootName))
}

/** Does something to every model once. */
function oncePerModel(work: (model: ModelType) => void): (model: ModelType | undefined) => void {
  const done = new Set<ModelType>()
  return (model) => {
    if (model === undefined || done.has(model)) return
    done.add(model)
    work(model)
  }
}

/**
 * Installs users into a registry: the models `User` and `AccessToken`, which others extend.
 * @param ownModels names of models that the application defines by itself, afterwards
 */
export function installUsers(
  registry: ModelRegistry,
  { wrap, ...installing }: Installing,
  ownModels: OwnModels = new Set()
): InstalledUsers {
  const { options } = installing
  const passwords = makePasswords({
    ...hashingOf(options, availableParallelism(), installing.warn),
    cutsOff: registry.rules.cutsPasswords
  })
  const parts: AccountParts = { ...installing, registry, passwords }
  registry.addPurge({ name: 'access tokens', run: makePurgeTokens(registry, options.accessTokenModel) })
  const prepareTokens = oncePerModel((model) => observeTokens(model, parts))
  const prepareUsers = oncePerModel((model) => {
    model.rules.push(...accountRules)
    observeAccounts(model, parts)
    addAccountFunctions(model.modelClass, parts, wrap)
  })
  const prepareUserModel = oncePerModel(declareMethods)
  const prepare = (): void => {
    // Another model of tokens takes over what this one is prepared with, where it extends it.
    prepareTokens(registry.find(accessTokenModel.name))
    prepareTokens(registry.find(options.accessTokenModel))
    if (!ownModels.has(rootName)) prepareUsers(registry.find(rootName))
  }
  defineModels(registry, ownModels)
  if (options.applications) defineApplications(registry, ownModels, wrap)
  prepare() // models that extend these take over what they are prepared with
  const complete = (): void => {
    prepare()
    declareSessionStart(modelsOf(registry), options)
    for (const model of userModelsOf(registry, ownModels)) prepareUserModel(model)
  }
  registry.beforeSeal(() => {
    complete()
    const models = userModelsOf(registry, ownModels)
    for (const warnAbout of [warnAboutSharedTokens, warnAboutOpenPasswords]) warnAbout(models, installing.warn)
  })
  return { complete }
}

/** Warns once at startup about protections that are off. */
export function warnAboutWeakenedOptions(options: UsersSettings, warn: (message: string) => void): void {
  for (const [isOff, what] of relaxations) if (isOff(options)) warn(`users: ${what}`)
}

/**
 * Warns once at the start for which of these user models a session alone sets a new password, with the settings that
 * close it.
 */
function warnAboutOpenPasswords(models: readonly ModelType[], warn: (message: string) => void): void {
  const served = models.filter(({ definition, collection }) => definition.public !== false && collection !== undefined)
  for (const model of served) {
    const { restrictResetPasswordTokenScope: isRestricted, rejectPasswordChangesViaPatchOrReplace: rejected } =
      accountSettings(model)
    const open = [
      ...(isRestricted ? [] : ['restrictResetPasswordTokenScope']),
      ...(rejected === 'nobody' ? ['rejectPasswordChangesViaPatchOrReplace'] : [])
    ]
    if (open.length > 0)
      warn(
        `users: a session of ${model.name} can set a new password without the old one: set ${open.join(' and ')} to true`
      )
  }
}
