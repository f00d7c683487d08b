import { missingOfApp } from '../scripts/app/script-app.ts'
import { missingOfDataSources } from '../scripts/data-source/script-data-source.ts'
import { missingStatics } from '../scripts/model/missing-members.ts'
import type { Replacements } from '../scripts/refuse-member.ts'
import { missingOfRemotes } from '../scripts/remoting/remotes.ts'
import type { Finding } from './finding.ts'

/** What shows in a text that a script calls a member which is refused. */
interface Sign {
  readonly pattern: RegExp
  /** Shows that the application has a member of this name itself. */
  readonly own: RegExp
  readonly reason: string
  readonly advice: string
}

// How scripts name what has the members: by the habits of LoopBack's applications, since source text has no types.
const model = String.raw`(?:\bmodels(?:\.\w+|\[[^\]]+\])|\b[A-Z]\w*)`
const dataSource = String.raw`(?:\b(?:ds|db|dataSource|datasource)|\b[dD]ata[sS]ources(?:\.\w+|\[[^\]]+\]))`

function signsOf(owner: string, receiver: string, members: Replacements): readonly Sign[] {
  return Object.entries(members).map(([name, advice]) => ({
    pattern: new RegExp(String.raw`${receiver}\.${name}\s*\(`),
    own: new RegExp(String.raw`\.${name}\s*=(?!=)`),
    reason: `${owner}.${name} is not there: its call is refused with MEMBER_NOT_PROVIDED`,
    advice
  }))
}

const signs: readonly Sign[] = [
  ...signsOf('Model', model, missingStatics),
  ...signsOf('dataSource', dataSource, missingOfDataSources),
  ...signsOf('app', String.raw`\bapp`, missingOfApp),
  ...signsOf('remotes', String.raw`\bremotes(?:\(\))?`, missingOfRemotes)
]

const isComment = (line: string): boolean => /^\s*(?:\/\/|\*|\/\*)/.test(line)

/** Calls of members that are refused, by their lines. A name that the script itself gives to something is the application's own. */
export function findMissingMembers(file: string, text: string): readonly Finding[] {
  const lines = text.split('\n').map((line) => (isComment(line) ? '' : line))
  const wanted = signs.filter(({ pattern, own }) => pattern.test(text) && !own.test(text))
  return wanted.flatMap(({ pattern, reason, advice }) =>
    lines.flatMap((line, index): Finding[] =>
      pattern.test(line) ? [{ effect: 'differs', file, line: index + 1, reason, advice }] : []
    )
  )
}
