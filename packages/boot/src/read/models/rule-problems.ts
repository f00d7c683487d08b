import { isDeepStrictEqual } from 'node:util'
import type { ModelRegistry } from '@modelwire/core'
import { type FoundProblem, pathOf, problemsOfRules, type RuleChecking } from '@modelwire/acl'
import type { ModelFile } from './find-model-files.ts'
import type { ModelConfig } from './read-model-config.ts'

/** A problem of an access rule, and its location in the application. */
interface LocatedProblem extends FoundProblem {
  /** A model file, or `model-config.json`. */
  readonly file: string
  /** `acls.1.permission`; in `model-config.json` the model's name comes first. */
  readonly path: string
}

/** By value: the rules of a started application stand behind proxies. */
const positionIn = (rules: readonly unknown[] | undefined, rule: unknown): number =>
  rules?.findIndex((each) => isDeepStrictEqual(each, rule)) ?? -1

/** The models of an application as read from its files. */
interface ReadModels {
  readonly modelFiles: ReadonlyMap<string, ModelFile>
  readonly modelConfig: ModelConfig
}

/** Rules are in a model file, in `model-config.json`, or a script made them. */
function locate(problem: FoundProblem, { modelFiles, modelConfig }: ReadModels): LocatedProblem | undefined {
  const { model, written, kind } = problem
  const { entries, config } = modelConfig
  const file = modelFiles.get(model.name)
  const inFile = positionIn(file?.definition.acls, written)
  if (file !== undefined && inFile >= 0)
    return { ...problem, file: file.file, path: pathOf({ ...problem, index: inFile }) }
  const inConfig = positionIn(entries.get(model.name)?.acls, written)
  const place = { file: config.fileOf(model.name), path: `${model.name}.${pathOf({ ...problem, index: inConfig })}` }
  if (inConfig >= 0) return { ...problem, ...place }
  // Rules of scripts and of built-in models stand in no file: what stops the start is reported all the same.
  return kind === 'refused' ? { ...problem, file: file?.file ?? model.name, path: pathOf(problem) } : undefined
}

/** Finds what is wrong with the access rules of an application. */
export function ruleProblems(
  registry: ModelRegistry,
  application: ReadModels,
  checking: RuleChecking
): readonly LocatedProblem[] {
  return problemsOfRules(registry, checking).flatMap((problem) => locate(problem, application) ?? [])
}
