import type { Mapping } from './read-mapping.ts'

/** How many digits the numbers of an exact type have; `whole` and `fraction` are undefined where the type has none. */
export interface ExactType {
  /** Digits before the point. */
  readonly whole: number | undefined
  /** Digits behind the point. */
  readonly fraction: number | undefined
}

const wholeType = /^(?:(?:tiny|small|medium|big)?int(?:eger)?|int[248]|(?:small|big)?serial|serial[248])\b/i
const decimalType = /^(?:decimal|numeric|dec|fixed)\b/i
const lengths = /\((\d+)(?:\s*,\s*(\d+))?\)/

/** What the `dataType` of a mapping holds where it is a type of exact numbers; undefined for any other one. */
export function exactType({ dataType, dataLength, dataPrecision, dataScale }: Mapping): ExactType | undefined {
  if (dataType === undefined) return undefined
  if (wholeType.test(dataType)) return { whole: undefined, fraction: 0 }
  if (!decimalType.test(dataType)) return undefined
  const [, written, scale = '0'] = lengths.exec(dataType) ?? []
  const precision = written ?? dataLength ?? dataPrecision
  if (precision === undefined) return { whole: undefined, fraction: undefined }
  const fraction = Number(written === undefined ? (dataScale ?? 0) : scale)
  return { whole: Number(precision) - fraction, fraction }
}
