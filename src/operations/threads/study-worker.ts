import { workerData } from 'node:worker_threads';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import type { BlindCases } from '../../valuation/calibration/blind-cases.ts';
import { readBlindCases } from '../market/blind-cases.ts';

/** The thread of `openStudyThread`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings);

answerCalls<string, BlindCases>(async (sha256) => readBlindCases(await opened, sha256));
