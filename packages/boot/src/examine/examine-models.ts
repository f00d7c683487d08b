import { normalRule } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import { type ModelType, shortName } from '@modelwire/core/plugin'
import { isFunction } from '../callback-bridge.ts'
import type { ModelFile } from '../models/find-model-files.ts'
import { ruleProblems } from '../models/rule-problems.ts'
import type { Application } from '../read-application.ts'
import { examineWords } from './examine-words.ts'
import type { Finding } from './finding.ts'

/** The context of examining models besides their files. */
export interface ModelExamination {
  readonly registry: ModelRegistry
  readonly application: Application
  /** The text of all scripts. */
  readonly scripts: string
}

/** What is wrong with models that can be defined all the same: their access rules, and methods without a function. */
export function examineModels(examination: ModelExamination): Finding[] {
  const { registry, application } = examination
  const written = [...application.modelFiles.values()].flatMap((model) => {
    const type = registry.find(model.definition.name)
    if (type === undefined) return application.modelConfig.entries.size === 0 ? [] : [unusedFinding(model)]
    return examineMethods(examination, model, type)
  })
  const words = [...application.modelFiles.values()].flatMap(examineWords)
  return [...written, ...words, ...examineRules(examination)]
}

/** The problems of access rules in files, and of those in scripts. */
function examineRules({ registry, application, scripts }: ModelExamination): Finding[] {
  const named = registry.names().flatMap((name) => registry.typeOf(name).definition.acls ?? [])
  const roles = named.map((rule) => String(normalRule(rule).principalId)).filter((role) => isQuoted(scripts, role))
  const isMethod = (name: string): boolean => isDeclared(scripts, name)
  return ruleProblems(registry, application, { roles, isMethod }).map(({ kind, file, path, reason, advice }) => ({
    effect: kind === 'unstored' || kind === 'unasked' ? 'info' : 'fails',
    file,
    key: path,
    reason,
    advice
  }))
}

/** A script registers the role, or makes its record. */
const isQuoted = (scripts: string, role: string): boolean =>
  scripts.includes(`'${role}'`) || scripts.includes(`"${role}"`)

const isDeclared = (scripts: string, name: string): boolean =>
  new RegExp(`remoteMethod\\(\\s*['"](?:prototype\\.)?${name.replace(/\W/g, '\\$&')}['"]`).test(scripts)

function unusedFinding({ file, definition }: ModelFile): Finding {
  const reason = `${definition.name} has no entry in model-config.json, and nothing extends it: it is not part of the application`
  return { effect: 'info', file, key: 'name', reason, advice: 'add an entry, or remove the file' }
}

/** Methods of a model file whose function no script and no base makes. */
function examineMethods(
  { scripts }: ModelExamination,
  { file, definition }: ModelFile,
  { modelClass }: ModelType
): Finding[] {
  const missing = Object.keys(definition.methods ?? {}).filter((name) => {
    const short = shortName(name)
    const owner: unknown =
      name === short && !isOfInstances(definition.methods?.[name]) ? modelClass : modelClass.prototype
    return !isFunction(Reflect.get(Object(owner), short)) && !makesFunction(scripts, short)
  })
  return missing.map((name) => ({
    effect: 'fails',
    file,
    key: `methods.${name}`,
    reason: `no script makes the function of the method ${name}: calls of it fail`,
    advice: 'write the function in the script of the model, or remove the method'
  }))
}

const isOfInstances = (spec: unknown): boolean => Reflect.get(Object(spec), 'isStatic') === false

/** `Model.name =`, `Model['name'] =`, `name: function`, `name() {` and the like. */
function makesFunction(scripts: string, name: string): boolean {
  const escaped = name.replace(/[$]/g, '\\$&')
  return new RegExp(`(?<![\\w$])${escaped}(?:['"]\\s*\\])?\\s*(?:=(?!=)|:|\\()`).test(scripts)
}
