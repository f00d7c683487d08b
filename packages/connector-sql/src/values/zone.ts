/** The time zone of columns without one. */
export interface Zone {
  /** Milliseconds that it is ahead of UTC; undefined if that varies. */
  readonly offset: number | undefined
  /** Converts a time that was read as UTC to the actual time. */
  readonly toMoment: (written: Date) => Date
  /** Converts a time to local time represented as UTC; invalid if JavaScript has no such time. */
  readonly toWritten: (moment: Date) => Date
}

// The language takes years below 100 for those of the last century, unless they are set by themselves.
const local: Zone = {
  offset: undefined,
  toMoment: (written) => {
    const moment = new Date(2000, 0, 1)
    moment.setFullYear(written.getUTCFullYear(), written.getUTCMonth(), written.getUTCDate())
    const [minute, second] = [written.getUTCMinutes(), written.getUTCSeconds()]
    moment.setHours(written.getUTCHours(), minute, second, written.getUTCMilliseconds())
    return moment
  },
  toWritten: (moment) => {
    const written = new Date(0)
    written.setUTCFullYear(moment.getFullYear(), moment.getMonth(), moment.getDate())
    const [minute, second] = [moment.getMinutes(), moment.getSeconds()]
    written.setUTCHours(moment.getHours(), minute, second, moment.getMilliseconds())
    return written
  }
}

/** The zone of a setting: an offset such as `+02:00`, or `local` for that of the process; undefined for `Z`. */
export function zoneOf(setting: string): Zone | undefined {
  const offset = setting === 'local' ? undefined : offsetOf(setting)
  if (offset === 0) return undefined
  if (offset === undefined) return local
  return {
    offset,
    toMoment: (written) => new Date(written.getTime() - offset),
    toWritten: (moment) => new Date(moment.getTime() + offset)
  }
}

/** Milliseconds that the zone is ahead of UTC. */
function offsetOf(setting: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(setting) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -size : size
}

/** The local time represented as UTC. The last representable days have none in other zones. */
export function writtenIn(zone: Zone | undefined, moment: Date): Date {
  const written = zone?.toWritten(moment)
  return written === undefined || Number.isNaN(written.getTime()) ? moment : written
}
