import type { AnswerBounds } from '@modelwire/core/connector'

/** Bytes that may come without a row: the server's other messages, which are short. */
const otherMessages = 64 * 1024

/** Counts the bytes of a result while it comes. */
export class ByteMeter {
  readonly atMost: AnswerBounds
  #ofRows = 0
  #sinceRow = 0
  #hadRow = false

  constructor(atMost: AnswerBounds) {
    this.atMost = atMost
  }

  /** A row has come. False where the result is too large with it. */
  addRow(bytes: number): boolean {
    this.#hadRow = true
    this.#ofRows += bytes
    return this.#ofRows <= this.atMost.bytes
  }

  /** So much has come, with the rows in it that ended. False where a row that has not ended makes the result too large. */
  addBytes(bytes: number): boolean {
    this.#sinceRow = this.#hadRow ? 0 : this.#sinceRow + bytes
    this.#hadRow = false
    return this.#ofRows + this.#sinceRow - otherMessages <= this.atMost.bytes
  }
}
