import { type FoundProblem, problemsOfRules, type RuleChecking } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import type { Application } from '../read-application.ts'

/** Something wrong with an access rule, and where the application says it. */
export interface LocatedProblem extends FoundProblem {
  /** A model file, or `model-config.json`. */
  readonly file: string
  /** `acls.1.permission`; in `model-config.json` the model's name stands before it. */
  readonly path: string
}

function locate(problem: FoundProblem, { modelFiles, modelConfig }: Application): LocatedProblem | undefined {
  const { model, index, key } = problem
  const written = modelFiles.get(model.name)
  const inFile = written?.definition.acls?.length ?? 0
  if (written !== undefined && index < inFile) return { ...problem, file: written.file, path: `acls.${index}.${key}` }
  const { entries, config } = modelConfig
  if (entries.get(model.name)?.acls === undefined) return undefined
  return { ...problem, file: config.fileOf(model.name), path: `${model.name}.acls.${index - inFile}.${key}` }
}

/** Finds what is wrong with the access rules that the files of an application state. */
export function ruleProblems(
  registry: ModelRegistry,
  application: Application,
  checking: RuleChecking
): readonly LocatedProblem[] {
  return problemsOfRules(registry, checking).flatMap((problem) => locate(problem, application) ?? [])
}
