import type { ValueError } from '@sinclair/typebox/errors'

/** What is wrong with a value. */
export interface DescribedProblem {
  /** Where the value is, as a JSON pointer. */
  readonly path: string
  /** Keys that lead to the value, with dots between them. */
  readonly key: string
  /** As TypeBox says it; of a union what each of its alternatives asks for. */
  readonly text: string
  /** What the schema says about the value, or about that which holds it. */
  readonly description: string | undefined
}

const descriptionOf = ({ schema }: ValueError): string | undefined =>
  typeof schema.description === 'string' ? schema.description : undefined

const joined = (texts: readonly string[]): string =>
  [...new Set(texts)].join(', or ').replaceAll(', or Expected', ', or')

/** Describes a problem. Where an alternative of a union fails below the value itself, the value was meant to be that one. */
export function describeProblem(problem: ValueError): DescribedProblem {
  const description = descriptionOf(problem)
  const alternatives = problem.errors.flatMap((errors) => errors.First() ?? [])
  const deeper = alternatives.find(({ path }) => path.length > problem.path.length)
  if (deeper !== undefined) {
    const found = describeProblem(deeper)
    return { ...found, description: found.description ?? description }
  }
  const key = problem.path.slice(1).replaceAll('/', '.')
  const text =
    alternatives.length === 0 ? problem.message : joined(alternatives.map((each) => describeProblem(each).text))
  return { path: problem.path, key, text, description }
}
