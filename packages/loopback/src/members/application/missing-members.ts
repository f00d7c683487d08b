import { missingOfApp } from './script-app.ts'
import { missingOfDataSources } from '../data-source/script-data-source.ts'
import { missingStatics } from '../definition/missing-members.ts'
import type { Replacements } from '../../script-members.ts'
import { missingOfRemotes } from '../remoting/remotes.ts'

/** The members of LoopBack's objects that are not provided to scripts, by their owner, each with its replacement. */
export const missingMembers = {
  Model: missingStatics,
  dataSource: missingOfDataSources,
  app: missingOfApp,
  remotes: missingOfRemotes
} as const satisfies Readonly<Record<string, Replacements>>
