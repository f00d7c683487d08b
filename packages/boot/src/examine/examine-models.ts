import type { AccessRule, ModelRegistry, ModelType } from '@modelwire/core'
import { isFunction } from '../callback-bridge.ts'
import { methodNames } from '../models/note-methods.ts'
import type { ModelFile } from '../models/find-model-files.ts'
import type { Application } from '../read-application.ts'
import { examineRule, type RuleContext } from './examine-rule.ts'
import type { Finding } from './finding.ts'

/** What examining models needs besides their files. */
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
    return [
      ...examineMethods(examination, model, type),
      ...examineRules(examination, model.definition.acls, type, model)
    ]
  })
  const { entries, config } = application.modelConfig
  const configured = Array.from(entries, ([name, { acls = [] }]) => {
    const type = registry.find(name)
    const place = { file: config.fileOf(name), prefix: `${name}.` }
    return type === undefined ? [] : examineRules(examination, acls, type, place)
  })
  return [...written, ...configured.flat()]
}

function unusedFinding({ file, definition }: ModelFile): Finding {
  const reason = `${definition.name} has no entry in model-config.json, and nothing extends it: it is not part of the application`
  return { effect: 'info', file, key: 'name', reason, advice: 'add an entry, or remove the file' }
}

function examineRules(
  { registry, scripts }: ModelExamination,
  acls: readonly AccessRule[] = [],
  model: ModelType,
  { file, prefix = '' }: { readonly file: string; readonly prefix?: string }
): Finding[] {
  const methods = new Set([...methodNames(model).keys()].map((name) => name.replace(/^prototype\./, '')))
  const context: RuleContext = { methods, scripts, isModel: (name) => registry.find(name) !== undefined }
  return acls.flatMap((rule, index) =>
    examineRule(rule, context).map(({ key, ...found }) => ({ file, key: `${prefix}acls.${index}.${key}`, ...found }))
  )
}

/** Methods of a model file whose function no script and no base makes. */
function examineMethods(
  { scripts }: ModelExamination,
  { file, definition }: ModelFile,
  { modelClass }: ModelType
): Finding[] {
  const missing = Object.keys(definition.methods ?? {}).filter((name) => {
    const short = name.replace(/^prototype\./, '')
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
