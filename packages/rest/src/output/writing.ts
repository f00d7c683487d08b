import { setImmediate } from 'node:timers/promises'
import type { AnswerBounds, Awaitable } from '@modelwire/core/plugin'
import { checkBytes } from './answer-size.ts'

/** A text that is being written. It stops where others may have their turn, and gives the text in the end. */
export type Writing<Text> = Generator<undefined, Text, undefined>

/** Characters that are written in one go: less than a millisecond of work. */
const charactersAtOnce = 128 * 1024

/** Decides when to yield to other work, and throws where a text exceeds its bounds. One for each text. */
export class Pace {
  readonly #bounds: AnswerBounds | undefined
  #written = 0
  #length = 0

  constructor(bounds: AnswerBounds | undefined) {
    this.#bounds = bounds
  }

  /**
   * True where it is time to stop for others.
   * @param text a list so far, or one within it
   * @throws {AnswerTooLarge} it has too many bytes already
   */
  isDue(text: string): boolean {
    if (this.#bounds !== undefined && text.length > this.#bounds.bytes) checkBytes(text, this.#bounds)
    this.#written += Math.max(0, text.length - this.#length)
    this.#length = text.length
    if (this.#written < charactersAtOnce) return false
    this.#written = 0
    return true
  }
}

/** Writes a text to its end. */
export function finishAtOnce<Text>(writing: Writing<Text>): Text {
  let step = writing.next()
  while (step.done !== true) step = writing.next()
  return step.value
}

/** Writes a text, at once where it is short; else others have their turn in between. */
export function finishInParts<Text>(writing: Writing<Text>): Awaitable<Text> {
  const step = writing.next()
  return step.done === true ? step.value : finishLater(writing)
}

async function finishLater<Text>(writing: Writing<Text>): Promise<Text> {
  for (;;) {
    await setImmediate()
    const step = writing.next()
    if (step.done === true) return step.value
  }
}
