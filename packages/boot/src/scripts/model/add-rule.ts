import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import {
  isPlainObject,
  makeCustomRule,
  makeRule,
  type ModelType,
  type Rule,
  type RuleOptions
} from '@modelwire/core/plugin'
import { isFunction } from '../../callback-bridge.ts'

/** LB3: models that extend this one do not have the rules of its script; lib/validations.js, configure. */
function addRule(model: ModelType, rule: Rule): void {
  model.rules.push(model.registry.rules.keepsRulesFromExtending ? { ...rule, isOwn: true } : rule)
}

type Kind = Parameters<typeof makeRule>[0]

/** Adds a rule for each property in `args`; the last of them may be the options. */
export function addRules(model: ModelType, kind: Kind, args: readonly unknown[]): void {
  const options = isPlainObject(args.at(-1)) ? (args.at(-1) as RuleOptions) : {} // options of a script are taken as they are
  const names = args.filter((name) => typeof name === 'string')
  if (names.length === 0)
    throw new ScriptArgumentInvalid(`the rule "${kind}" needs the name of a property`, { model: model.name })
  for (const name of names) addRule(model, makeRule(kind, name, options))
}

/** Adds a rule that a function of the script decides, with the record as `this`. */
export function addCustomRule(model: ModelType, args: readonly unknown[], async: boolean): void {
  const [property, validate, options] = args
  if (typeof property !== 'string' || !isFunction(validate)) {
    throw new ScriptArgumentInvalid('validate needs the name of a property and a function', { model: model.name })
  }
  const input = isPlainObject(options) ? (options as RuleOptions) : {} // options of a script are taken as they are
  addRule(model, makeCustomRule(property, validate, input, async))
}
