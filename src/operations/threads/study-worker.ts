import { workerData } from 'node:worker_threads';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import type { HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import { readHoldoutCases } from '../market/holdout-cases.ts';

/** The thread of `openStudyThread`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings);

answerCalls<string, HoldoutCases>(async (sha256) => readHoldoutCases(await opened, sha256));
