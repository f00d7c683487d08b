import type { ModelDefinition } from '../definition/model-definition.ts'

/** The name of the model that keeps the shared state in a data source. */
export const entryModelName = 'SharedState'

/** Times are texts of 13 digits, milliseconds since 1970: databases differ in how exact their dates are, and in the range of numbers. */
export const entryModel: ModelDefinition = {
  name: entryModelName,
  forceId: false,
  properties: {
    id: { type: 'string', id: true, length: 191 },
    value: { type: 'string', length: 255, required: true },
    until: { type: 'string', length: 13, required: true, index: true }
  }
}

/** The text of a time. @param time milliseconds since 1970 */
export const timeText = (time: number): string => String(Math.min(Math.ceil(time), 9_999_999_999_999)).padStart(13, '0')
