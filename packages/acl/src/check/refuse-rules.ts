import { modelByType, type Registry, repository, serverCall } from '@modelwire/core/plugin'
import { InvalidAccessRule } from '../errors.ts'
import { type FoundProblem, pathOf } from './check-rules.ts'

/** The reason of a problem, followed by the advice. */
export const problemText = ({ reason, advice }: Pick<FoundProblem, 'reason' | 'advice'>): string =>
  `${reason}: ${advice}`

/** The file, the model and the key that a problem is about. */
const whereOf = (problem: FoundProblem): { model: string; file?: string; key: string } => ({
  model: problem.model.name,
  ...(problem.model.file === undefined ? {} : { file: problem.model.file }),
  key: pathOf(problem)
})

function errorOf(problems: readonly FoundProblem[]): InvalidAccessRule | undefined {
  const [first, ...others] = problems
  if (first === undefined) return undefined
  const more = others.map((problem) => `; ${problem.model.name} ${whereOf(problem).key}: ${problemText(problem)}`)
  return new InvalidAccessRule(problemText(first) + more.join(''), whereOf(first))
}

const roleOf = ({ rule }: FoundProblem): string => String(rule.principalId)

/** Which of some roles the database holds. @throws the database's error where there is no table yet */
async function storedAmong(names: readonly string[], registry: Registry): Promise<ReadonlySet<string>> {
  const roles = modelByType(registry, 'Role')
  if (roles?.collection === undefined || names.length === 0) return new Set()
  const found = await repository.find(roles, { where: { name: { inq: names } } }, serverCall())
  return new Set(found.map(({ name }) => String(name)))
}

/**
 * Throws for rules that cannot be applied. A role may be stored; if the database cannot be read, it only logs a warning.
 * @throws {InvalidAccessRule} there is such a rule
 */
export async function refuseRules(
  problems: readonly FoundProblem[],
  registry: Registry,
  warn: (message: string) => void
): Promise<void> {
  for (const problem of problems.filter(({ kind }) => kind === 'unasked')) warn(`acl: ${problemText(problem)}`)
  const certain = errorOf(problems.filter(({ kind }) => kind !== 'unstored' && kind !== 'unasked'))
  if (certain !== undefined) throw certain
  const open = problems.filter(({ kind }) => kind === 'unstored')
  let stored: ReadonlySet<string>
  try {
    stored = await storedAmong([...new Set(open.map(roleOf))], registry)
  } catch (error) {
    const names = [...new Set(open.map(roleOf))].join(', ')
    warn(`acl: cannot check whether the database has the roles ${names}: ${String(error)}`)
    return
  }
  const missing = errorOf(open.filter((problem) => !stored.has(roleOf(problem))))
  if (missing !== undefined) throw missing
}
