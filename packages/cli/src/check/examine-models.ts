import { normalRule } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import { closestName, definitionWords, sharesLinksWith } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type ModelFile, ruleProblems, type Application } from '@modelwire/boot/check'
import type { Finding } from './finding.ts'

const entriesOf = (value: unknown): [string, unknown][] => (isPlainObject(value) ? Object.entries(value) : [])

/** The context for examining models, besides their files. */
export interface ModelExamination {
  readonly registry: ModelRegistry
  readonly application: Application
  /** The text of all scripts. */
  readonly scripts: string
}

/** The problems of models that can be defined nonetheless: their access rules, and methods without a function. */
export function examineModels(examination: ModelExamination): Finding[] {
  const { registry, application } = examination
  const written = [...application.modelFiles.values()].flatMap((model) => {
    const type = registry.find(model.definition.name)
    if (type === undefined) return application.modelConfig.entries.size === 0 ? [] : [unusedFinding(model)]
    return [...examineMethods(examination, model, type), ...examineLinks(model, type)]
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
    return typeof Reflect.get(Object(owner), short) !== 'function' && !makesFunction(scripts, short)
  })
  return missing.map((name) => ({
    effect: 'fails',
    file,
    key: `methods.${name}`,
    reason: `no script implements the method ${name}: calls to it fail`,
    advice: "implement the function in the model's script, or remove the method"
  }))
}

/** Relations that keep their links in one model: removing a link of one removes that of the other. */
function examineLinks({ file, definition }: ModelFile, type: ModelType): Finding[] {
  return Object.keys(definition.relations ?? {}).flatMap((name): Finding[] => {
    const other = sharesLinksWith(type, name)
    if (other === undefined) return []
    const reason = `the relations "${other}" and "${name}" share their links: removing one of ${name} removes the same of ${other}, as in LoopBack`
    return [{ effect: 'info', file, key: `relations.${name}`, reason, advice: 'declare a model for each as "through"' }]
  })
}

const isOfInstances = (spec: unknown): boolean => Reflect.get(Object(spec), 'isStatic') === false

/** `Model.name =`, `Model['name'] =`, `name: function`, `name() {` and the like. */
function makesFunction(scripts: string, name: string): boolean {
  const escaped = name.replace(/[$]/g, '\\$&')
  return new RegExp(`(?<![\\w$])${escaped}(?:['"]\\s*\\])?\\s*(?:=(?!=)|:|\\()`).test(scripts)
}

/** Keys of one object of a model file that are misspelt. Other keys are settings of the application. */
function misspelt(
  value: unknown,
  kind: keyof typeof definitionWords,
  file: string,
  place: readonly string[]
): Finding[] {
  const words = definitionWords[kind]
  const unknown = isPlainObject(value) ? Object.keys(value).filter((key) => !words.includes(key)) : []
  return unknown.flatMap((key): Finding[] => {
    const suggestion = closestName(key, words)
    if (suggestion === undefined) return []
    const reason = `unknown key "${key}": it is ignored`
    return [
      { effect: 'fails', file, key: [...place, key].join('.'), reason, advice: `write "${suggestion}", or remove it` }
    ]
  })
}

/** Misspelt keys of a model file, its properties and its relations, which nothing else reports. */
function examineWords({ file, definition }: ModelFile): Finding[] {
  const { properties, relations } = definition
  return [
    ...misspelt(definition, 'model', file, []),
    ...entriesOf(properties).flatMap(([name, part]) => misspelt(part, 'property', file, ['properties', name])),
    ...entriesOf(relations).flatMap(([name, part]) => misspelt(part, 'relation', file, ['relations', name]))
  ]
}
