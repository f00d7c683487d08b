import t from 'tap'
import { testRandomRequests } from './random-requests.ts'

testRandomRequests(t, 3000)
