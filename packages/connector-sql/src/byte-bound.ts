import type { AnswerBounds } from '@modelwire/core'
import type { Statement } from './sql.ts'

/** Says behind the values of a statement how large its result may be. */
class ByteBound {
  readonly atMost: AnswerBounds | undefined
  readonly readsFew: boolean
  readonly signal: AbortSignal | undefined
  constructor({ atMost, readsFew = false, signal }: Pick<Statement, 'atMost' | 'readsFew' | 'signal'>) {
    this.atMost = atMost
    this.readsFew = readsFew
    this.signal = signal
  }
}

/** The values of a statement, and what its result may come to. */
export interface BoundValues {
  readonly values: unknown[]
  readonly atMost: AnswerBounds | undefined
  /** The statement gives a page of rows at most. */
  readonly readsFew: boolean
  /** Aborted when nobody waits for the result. */
  readonly signal: AbortSignal | undefined
}

/** The values of a statement as they go through kysely, which hands on a text and values alone. `takeBound` takes them apart. */
export function valuesWithBound({ parameters, atMost, readsFew, signal }: Statement): unknown[] {
  const isBound = atMost !== undefined || readsFew === true || signal !== undefined
  return isBound ? [...parameters, new ByteBound({ atMost, readsFew, signal })] : [...parameters]
}

/** What kysely hands to a driver, taken apart: the values of the statement, and the bounds of its result where it has some. */
export function takeBound(values: readonly unknown[]): BoundValues {
  const last = values.at(-1)
  return last instanceof ByteBound
    ? { values: values.slice(0, -1), atMost: last.atMost, readsFew: last.readsFew, signal: last.signal }
    : { values: [...values], atMost: undefined, readsFew: false, signal: undefined }
}
