import { InvalidAccessRule, problemText } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import { isShared, predefinedMethods, type SharedMethods, matchesMethod, methodNames } from '@modelwire/core/plugin'
import { type ModelType, nameOfRecords } from '@modelwire/core/connector'
import { decidesItself, freeKeysOf } from '@modelwire/loopback/api'
import type { Application } from '../../read/read-application.ts'
import { ruleProblems } from '../../read/models/rule-problems.ts'
import type { AddNote } from '../../boot-report.ts'
import type { ModelFile } from '../../read/models/find-model-files.ts'
import type { Config } from '../../read/config/read-config.ts'
import { findSharedPaths } from '@modelwire/rest'

/** The inputs of the notes about methods. */
interface MethodNotes {
  readonly registry: ModelRegistry
  readonly modelConfig: Config
  readonly config: Config
  readonly files: ReadonlyMap<string, ModelFile>
  /** `remoting.sharedMethods` of `config.json`. */
  readonly shared: Readonly<Record<string, boolean>>
  readonly add: AddNote
}

/** Names of methods; an alias maps to the name that counts. */
type Names = ReadonlyMap<string, string>

/** The inputs of the note about updates of many records. */
interface UpdateNotes {
  readonly registry: ModelRegistry
  readonly config: Config
  /** `remoting.sharedMethods` of `config.json`. */
  readonly shared: SharedMethods
  readonly add: AddNote
}

const updatesKey = 'remoting.sharedMethods.updateAll'

/** The inputs of notes about models and their files. */
interface ModelNotes {
  readonly registry: ModelRegistry
  readonly files: ReadonlyMap<string, ModelFile>
  readonly add: AddNote
}

const ownUser = 'the model replaces the built-in one: it does not hash passwords and has no login, as in LoopBack'

/**
 * Reports access rules that LoopBack accepts silently but that do not mean what they seem to.
 * @param roles those that scripts registered
 * @throws {InvalidAccessRule} `rows` or `fields` of a rule cannot be applied; LoopBack has neither
 */
export function noteRules(registry: ModelRegistry, application: Application, roles: readonly string[]): void {
  for (const name of registry.names()) refuseOtherThanList(registry.typeOf(name), application)
  for (const problem of ruleProblems(registry, application, { roles })) {
    const { kind, file, path, model, advice } = problem
    if (kind === 'refused') throw new InvalidAccessRule(problemText(problem), { file, model: model.name, key: path })
    // An examination lists the other ones itself.
    if (application.folder.source === undefined && (kind === 'ignored' || kind === 'unasked'))
      application.add('ignored', { file, key: path }, problemText(problem), { advice })
  }
}

/** LB3: every call of such a model fails, unless a function of its own decides and reads what is written there. */
function refuseOtherThanList(model: ModelType, { modelFiles }: Application): void {
  const { name, definition } = model
  const acls = freeKeysOf(model).get('acls')
  if (!acls || definition.public !== true || decidesItself(model)) return
  const file = modelFiles.get(name)?.file
  throw new InvalidAccessRule('acls must be a list of rules', {
    ...(file === undefined ? {} : { file }),
    model: name,
    key: 'acls'
  })
}

/** Reports public models that an earlier one hides, which LoopBack does silently. */
export function noteSharedPaths({ registry, files, add }: ModelNotes): void {
  for (const { first, second } of findSharedPaths(registry)) {
    const file = files.get(second.name)?.file ?? second.name
    const reason = `${first.name} is also at /${first.httpPath} and takes precedence, as in LoopBack: only methods of ${second.name} at other paths are reachable`
    add('info', { file, key: 'http.path' }, reason)
  }
}

/** Reports access rules that are not enforced, and a model named User that does not extend the built-in one. */
export function noteUnprotected({ registry, files, add }: ModelNotes): void {
  const user = files.get('User')
  if (user !== undefined && registry.find('User')?.file === user.file)
    add('info', { file: user.file, key: 'name' }, ownUser, {
      advice: 'rename the model and set base to User if its records are accounts'
    })
  const models = registry.names().map((name) => registry.typeOf(name))
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const file = files.get(model.name)?.file ?? model.name
    if (!registry.isGuarded && hasRules(model)) {
      add(
        'ignored',
        { file, key: 'acls' },
        'no script calls app.enableAuth: every method of the model is open, as in LoopBack',
        { effect: 'info', advice: 'call app.enableAuth() in a boot script to enforce the rules' }
      )
    }
  }
}

function hasRules({ definition }: ModelType): boolean {
  return (definition.acls ?? []).length > 0
}

/** Clients reach `updateAll` of this model. */
function updatesMany(model: ModelType, shared: SharedMethods): boolean {
  const { definition, persisted, dataSource, methods } = model
  if (definition.public !== true || !persisted || dataSource === undefined) return false
  const updateAll = { model, name: 'updateAll', onInstance: false, ...predefinedMethods.updateAll }
  return isShared(updateAll, methods.disabled, shared, definition.remoting?.sharedMethods)
}

/**
 * Reports once that clients may change many records without validation, as in LoopBack, unless `config.json` sets the
 * option explicitly.
 */
export function noteUpdatesOfMany({ registry, config, shared, add }: UpdateNotes): void {
  if (shared['updateAll'] !== undefined) return
  const models = registry.names().map((name) => registry.typeOf(name))
  if (!models.some((model) => updatesMany(model, shared))) return
  const reason = 'unless this is false, POST /MODEL/update changes many records without validation, as in LoopBack'
  const advice = 'set it to false if no client needs it, or to true to keep it'
  add('info', { file: config.fileOf('remoting'), key: updatesKey }, reason, { advice })
}

/** Reports unknown methods in `sharedMethods`, and methods declared in the style of version 2. */
export function noteMethods(notes: MethodNotes): void {
  const { registry, config, modelConfig, shared, add } = notes
  const models = registry.names().map((name) => registry.typeOf(name))
  const all = new Map<string, string>()
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const names = methodNames(model)
    for (const [name, meaning] of names) all.set(name, meaning)
    const { sharedMethods = {} } = model.definition.remoting ?? {}
    const place = { file: modelConfig.fileOf(model.name), key: `${model.name}.options.remoting.sharedMethods` }
    noteNames(sharedMethods, names, place, add)
  }
  noteNames(shared, all, { file: config.fileOf('remoting'), key: 'remoting.sharedMethods' }, add)
  if (!registry.rules.readsIsStatic) for (const model of models) noteIsStatic(model, notes)
}

function noteNames(
  setting: Readonly<Record<string, boolean>>,
  names: Names,
  { file, key }: { file: string; key: string },
  add: AddNote
): void {
  for (const name of Object.keys(setting)) {
    if (!isKnown(name, names))
      add('ignored', { file, key: `${key}.${name}` }, reasonFor(name, names), {
        effect: 'info',
        advice: 'correct the name, or remove it'
      })
  }
}

function isKnown(name: string, names: Names): boolean {
  if (name === '*' || names.get(name) === name) return true
  return name.includes('*') && [...names.values()].some((each) => matchesMethod(name, each))
}

function reasonFor(name: string, names: Names): string {
  const fullName = names.get(name)
  if (fullName !== undefined) return `LoopBack uses the method's own name here: ${fullName}`
  const ofRecords = names.get(nameOfRecords(name))
  if (ofRecords !== undefined) return `unknown method; the instance method is called ${ofRecords}`
  return 'unknown method'
}

function noteIsStatic(model: ModelType, { files, add }: MethodNotes): void {
  const names = [...model.methods.specs].filter(([, spec]) => 'isStatic' in spec).map(([name]) => name)
  const file = files.get(model.name)?.file ?? model.name
  const reason = 'isStatic belongs to version 2; use the prefix "prototype." instead'
  for (const name of names)
    add('differs', { file, key: `methods.${name}` }, reason, {
      advice: 'call the method prototype.NAME if it is an instance method, and remove isStatic'
    })
}
