import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readSession, signOut, type Session } from '../api/session.ts';
import { asProblem, onSignedOut, setCsrfToken } from '../api/request.ts';
import type { Problem } from '../api/problem.ts';

export interface SignedIn {
  readonly session: Session;
  readonly isAdministrator: boolean;
  readonly leave: () => Promise<void>;
}

const SignedInContext = createContext<SignedIn | null>(null);

/** Who is signed in: pages are shown to nobody else. */
export function useSession(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('This is shown to whoever is signed in, within SessionProvider.');
  return signedIn;
}

/** Whether somebody is signed in: asked once, then told by every answer. */
type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'in'; readonly session: Session }
  | { readonly kind: 'out'; readonly hasEnded: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function SessionProvider(props: {
  readonly children: ComponentChildren;
  readonly waiting: ComponentChildren;
  readonly signIn: (given: {
    readonly hasEnded: boolean;
    readonly onSignIn: (session: Session) => void;
  }) => ComponentChildren;
  readonly failed: (problem: Problem, onRetry: () => void) => ComponentChildren;
}) {
  const [state, setState] = useState<State>({ kind: 'asking' });
  const enter = useCallback((session: Session) => {
    setCsrfToken(session.csrf_token);
    setState({ kind: 'in', session });
  }, []);
  const ask = useCallback(() => {
    setState({ kind: 'asking' });
    readSession().then(enter, (error: unknown) => {
      const problem = asProblem(error);
      if (problem.status !== 401) setState({ kind: 'failed', problem });
    });
  }, [enter]);
  useEffect(() => {
    // The page stays where it is, and so does whoever signs in again.
    onSignedOut(() => setState((before) => ({ kind: 'out', hasEnded: before.kind === 'in' })));
    ask();
  }, [ask]);
  const signedIn = useMemo((): SignedIn | null => {
    if (state.kind !== 'in') return null;
    const { session } = state;
    const leave = async (): Promise<void> => {
      await signOut();
      setState({ kind: 'out', hasEnded: false });
    };
    return { session, isAdministrator: session.user.role === 'administrator', leave };
  }, [state]);
  if (state.kind === 'asking') return <>{props.waiting}</>;
  if (state.kind === 'failed') return <>{props.failed(state.problem, ask)}</>;
  if (state.kind === 'out') return <>{props.signIn({ hasEnded: state.hasEnded, onSignIn: enter })}</>;
  return <SignedInContext.Provider value={signedIn}>{props.children}</SignedInContext.Provider>;
}
