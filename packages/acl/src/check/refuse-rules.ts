import { type FindBuiltIn, repository, serverCall } from '@modelwire/core/plugin'
import { InvalidAccessRule } from '../errors.ts'
import { type FoundProblem, pathOf } from './check-rules.ts'

/** What is wrong, and what to write instead. */
export const problemText = ({ reason, advice }: Pick<FoundProblem, 'reason' | 'advice'>): string =>
  `${reason}: ${advice}`

/** The file, the model and the key that a problem is about. */
export const whereOf = (problem: FoundProblem): { model: string; file?: string; key: string } => ({
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
async function storedAmong(names: readonly string[], find: FindBuiltIn): Promise<ReadonlySet<string>> {
  const roles = find('Role')
  if (roles?.collection === undefined || names.length === 0) return new Set()
  const found = await repository.find(roles, { where: { name: { inq: names } } }, serverCall())
  return new Set(found.map(({ name }) => String(name)))
}

/**
 * Throws for rules that cannot be applied. A role may be stored; where the database cannot be read, that is only a
 * warning.
 * @throws {InvalidAccessRule} there is such a rule
 */
export async function refuseRules(
  problems: readonly FoundProblem[],
  find: FindBuiltIn,
  warn: (message: string) => void
): Promise<void> {
  for (const problem of problems.filter(({ kind }) => kind === 'unasked')) warn(`acl: ${problemText(problem)}`)
  const certain = errorOf(problems.filter(({ kind }) => kind !== 'unstored' && kind !== 'unasked'))
  if (certain !== undefined) throw certain
  const open = problems.filter(({ kind }) => kind === 'unstored')
  let stored: ReadonlySet<string>
  try {
    stored = await storedAmong([...new Set(open.map(roleOf))], find)
  } catch (error) {
    const names = [...new Set(open.map(roleOf))].join(', ')
    warn(`acl: the database does not say whether it holds the roles ${names}: ${String(error)}`)
    return
  }
  const missing = errorOf(open.filter((problem) => !stored.has(roleOf(problem))))
  if (missing !== undefined) throw missing
}
