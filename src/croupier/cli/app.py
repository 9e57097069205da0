"""Verbs and their options. Everything heavy is imported inside the verb that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.rules.choice import OddsRequest

app = typer.Typer(
    help="Casino table games from their approval letters: exact odds, published figures checked.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(help="Game id, or the path of a folder or file of your own.")]
FreshDecks = Annotated[str | None, typer.Option(metavar="N|inf", help="Decks in the fresh shoe.")]
Soft17 = Annotated[str | None, typer.Option(metavar="hit|stand", help="What the dealer does on soft 17.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="SWITCH=VALUE", help="Override a rule option; may be repeated.")
]
PayTables = Annotated[
    list[str] | None, typer.Option("--pay-table", metavar="WAGER=ID", help="Pay table of a wager; may be repeated.")
]
OnePayTable = Annotated[str | None, typer.Option("--pay-table", metavar="ID", help="Pay table.")]
Side = Annotated[str | None, typer.Option(metavar="player|banker", help="Baccarat: the seat's side.")]
Contribution = Annotated[
    str | None, typer.Option(metavar="RATE", help="Progressive: share of a wager to the meter, 0.2 or 20%.")
]
Reserve = Annotated[str | None, typer.Option(metavar="RATE", help="Progressive: share of a wager to the reserve.")]
SeedAmount = Annotated[str | None, typer.Option(metavar="$", help="Progressive: seed put up by the house.")]
FormerSeed = Annotated[
    str | None, typer.Option("--seed", metavar="$", hidden=True, help="Former name of --seed-amount.")
]
Threads = Annotated[int | None, typer.Option(metavar="N", help="Threads; all cores if left out.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def _rules_asked(setting: list[str] | None, soft17: str | None) -> dict[str, str]:
    """`--set` and `--soft17` together; they may not contradict each other."""
    from croupier.rules.choice import SOFT17, parse_settings

    return parse_settings((setting or []) + ([f"{SOFT17}={soft17}"] if soft17 is not None else []))


def _request(
    game: str, wager: str | None, pay_table: str | None, decks: str | None, side: str | None, settings: dict[str, str]
) -> OddsRequest:
    from croupier.rules.choice import OddsRequest

    switches = tuple(settings.items())
    return OddsRequest(game=game, wager=wager, pay_table=pay_table, decks=decks, side=side, settings=switches)


def _version(wanted: bool) -> None:
    if wanted:
        from croupier import __version__

        typer.echo(f"croupier {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Casino table games from their approval letters: exact odds, published figures checked."""


@app.command()
def games(
    game: Annotated[
        str | None, typer.Option("--game", metavar="ID|PATH", help="One game only, or that of a folder of your own.")
    ] = None,
    json: Json = False,
    every: Annotated[
        bool,
        typer.Option("--all", help="Every title that the letters name: which work, and what is missing of others."),
    ] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of a game file.")] = False,
) -> None:
    """The catalog: games with wagers, pay tables, decks, letter and switches."""
    from croupier.cli.games import show_games, show_titles

    if every:
        show_titles(as_json=json)
        return
    show_games(game, as_json=json, schema=schema)


def _explain_seed(former_seed: str | None) -> None:
    """Elsewhere `--seed` is that of random numbers, so whoever wrote it hears what it is here."""
    if former_seed is not None:
        sentence = "is the jackpot's seed in dollars here, as --seed-amount; exact odds draw no random numbers."
        typer.echo(f"--seed {former_seed} {sentence}", err=True)


@app.command()
def odds(
    game: GameName,
    wager: Annotated[str, typer.Argument(help="Wager id, as `croupier games` lists them.")],
    pay_table: OnePayTable = None,
    decks: FreshDecks = None,
    soft17: Soft17 = None,
    side: Side = None,
    setting: Settings = None,
    seed_amount: SeedAmount = None,
    former_seed: FormerSeed = None,
    contribution: Contribution = None,
    reserve: Reserve = None,
    meter: Annotated[str | None, typer.Option(metavar="$", help="Progressive: what the meter shows now.")] = None,
    json: Json = False,
) -> None:
    """Exact odds of a wager: every row with its probability, edge, deviation, published figures."""
    from croupier.cli.odds import show_odds

    show_odds(
        _request(game, wager, pay_table, decks, side, _rules_asked(setting, soft17)),
        meter={"seed": seed_amount or former_seed, "contribution": contribution, "reserve": reserve, "meter": meter},
        as_json=json,
    )
    _explain_seed(former_seed)


@app.command()
def sheet(
    game: GameName,
    wager: Annotated[str | None, typer.Argument(help="Wager id; a booklet of all wagers if left out.")] = None,
    pay_table: Annotated[
        list[str] | None,
        typer.Option("--pay-table", metavar="ID", help="Pay table; in a booklet WAGER=ID, may be repeated."),
    ] = None,
    decks: FreshDecks = None,
    soft17: Soft17 = None,
    side: Side = None,
    setting: Settings = None,
    seed_amount: SeedAmount = None,
    former_seed: FormerSeed = None,
    contribution: Contribution = None,
    reserve: Reserve = None,
    meter: Annotated[str | None, typer.Option(metavar="$", help="Progressive: what the meter shows now.")] = None,
    effects: Annotated[
        bool, typer.Option("--effects/--no-effects", help="What other rules would do; it may take minutes.")
    ] = True,
    pdf: Annotated[str | None, typer.Option(metavar="FILE", help="Write it as a PDF.")] = None,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Write it as a CSV table.")] = None,
    json: Json = False,
) -> None:
    """The odds sheet (PAR sheet) of a wager or a whole game, for a reviewer: on paper, as a table, or as JSON."""
    from croupier.cli.sheet import show_sheet

    show_sheet(
        _request(game, wager, None, decks, side, _rules_asked(setting, soft17)),
        pay_tables=pay_table or [],
        meter={"seed": seed_amount or former_seed, "contribution": contribution, "reserve": reserve, "meter": meter},
        effects=effects,
        files={"pdf": pdf, "csv": csv},
        as_json=json,
    )
    _explain_seed(former_seed)


@app.command()
def check(
    game: Annotated[str | None, typer.Option("--game", metavar="ID|PATH", help="Check one game only.")] = None,
    json: Json = False,
) -> None:
    """Every published figure recomputed. Exit status 1 if one differs and no finding says why."""
    from croupier.cli.check import show_check

    raise typer.Exit(show_check(game, as_json=json))


@app.command()
def strategy(
    game: GameName,
    decks: FreshDecks = None,
    soft17: Soft17 = None,
    pay_table: Annotated[
        list[str] | None, typer.Option("--pay-table", metavar="main=ID", help="Pay table of the main wager.")
    ] = None,
    setting: Settings = None,
    total_dependent: Annotated[
        bool, typer.Option("--total-dependent", help="Figures of the best chart by totals instead of optimal play.")
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="Also the edge under every other value of each switch.")
    ] = (False),
    wager: Annotated[
        str | None,
        typer.Option(metavar="$", help="First wager, where the limit for single wagers bears on what is added later."),
    ] = None,
    limit: Annotated[
        str | None, typer.Option(metavar="$", help="Limit for a single wager, if not the law's; with --wager.")
    ] = None,
    json: Json = False,
) -> None:
    """Optimal play of a main game: exact edge, charts, exceptions, what each rule costs."""
    from croupier.cli.strategy import show_strategy

    show_strategy(
        game,
        pay_tables=pay_table or [],
        decks=decks,
        settings=_rules_asked(setting, soft17),
        total_dependent=total_dependent,
        with_effects=effects,
        wager=wager,
        limit=limit,
        as_json=json,
    )


@app.command()
def protect(
    game: GameName,
    wager: Annotated[str, typer.Argument(help="Wager id, as `croupier games` lists them.")],
    pay_table: OnePayTable = None,
    decks: Annotated[str | None, typer.Option(metavar="N", help="Decks in the shoe.")] = None,
    soft17: Soft17 = None,
    side: Side = None,
    setting: Settings = None,
    cut: Annotated[int | None, typer.Option(metavar="CARDS", help="Cards dealt before the cut card.")] = None,
    dealing: Annotated[
        str | None,
        typer.Option(metavar="strict|one_more|burn", help="Which rounds are still dealt when the cut card has come."),
    ] = None,
    shoes: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Shoes to deal (default 1e4, for a main game 1e5); 0 for exact figures alone.",
        ),
    ] = None,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="COUNT",
            help="hi_lo, hi_opt_1, hi_opt_2, omega_2, zen or ten_count; of a side wager also ten tags, as "
            "-1,1,1,1,1,1,0,0,0,-1@2 with a trigger.",
        ),
    ] = None,
    beside: Annotated[
        str | None, typer.Option("--with", metavar="A,B", help="Wagers that are attacked in the same shoes.")
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(metavar="UNITS", help="Look for the cut, the decks and the pay that keep it below so much a shoe."),
    ] = None,
    known: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Of a poker game: what a seat knows that it should not. dealer=1, community=1, backs=QKA, seats=5.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the shoes: the same seed gives the same figures.")] = 1,
    threads: Threads = None,
    pdf: Annotated[str | None, typer.Option(metavar="FILE", help="Write it as a PDF.")] = None,
    json: Json = False,
) -> None:
    """Game protection: what a card counter can take from a wager, and what stops it."""
    from croupier.cli.protect import show_protection

    options = {
        "pay_table": pay_table,
        "decks": decks,
        "side": side,
        "cut": cut,
        "dealing": dealing,
        "shoes": shoes,
        "count": count,
        "beside": tuple(filter(None, beside.split(","))) if beside else None,
        "limit": limit,
        "known": known,
        "seed": seed,
        "threads": threads,
        "rules": _rules_asked(setting, soft17),
    }
    show_protection(game, wager, options, pdf=pdf, as_json=json)


@app.command()
def simulate(
    game: GameName,
    rounds: Annotated[str | None, typer.Option(metavar="N", help="Rounds to play, e.g. 1e9 (default 1e7).")] = (None),
    until_se: Annotated[
        str | None, typer.Option("--until-se", metavar="X", help="Play until the main edge's standard error is X.")
    ] = None,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="Stop after this many seconds.")] = None,
    seats: Annotated[int, typer.Option(help="Seats that play, 1 to 7.")] = 1,
    shuffle: Annotated[str, typer.Option(metavar="fresh|cut-card|continuous", help="How cards are shuffled.")] = (
        "fresh"
    ),
    cut: Annotated[
        int | None, typer.Option(metavar="CARDS", help="Cards dealt before the cut card; cards in the chute.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The run's seed: the same seed gives the same counts.")] = 1,
    decks: Annotated[str | None, typer.Option(metavar="N", help="Decks in the shoe.")] = None,
    strategy: Annotated[str, typer.Option(metavar="optimal|total-dependent|FILE", help="How hands are played.")] = (
        "optimal"
    ),
    pay_table: PayTables = None,
    setting: Settings = None,
    soft17: Soft17 = None,
    wagers: Annotated[str | None, typer.Option(metavar="A,B", help="Only these wagers; all if left out.")] = None,
    backend: Annotated[str, typer.Option(metavar="cpu|cuda|python|dask", help="Where it is played.")] = "cpu",
    threads: Threads = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler, or local:N; with --backend dask.")
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Checkpoint file; the run resumes from it.")
    ] = None,
    json: Json = False,
) -> None:
    """Play rounds at random: every wager's edge with its standard error, beside the exact one."""
    from croupier.cli.simulate import show_simulation
    from croupier.rules.choice import parse_settings

    options = {
        "rounds": rounds,
        "until_se": until_se,
        "seconds": seconds,
        "seed": seed,
        "seats": seats,
        "decks": decks,
        "shuffle": shuffle,
        "cut": cut,
        "strategy": strategy,
        "wagers": tuple(name.strip() for name in wagers.split(",")) if wagers else (),
        "pay_tables": parse_settings(pay_table or []),
        "backend": backend,
        "threads": threads,
        "cluster": cluster,
        "checkpoint": checkpoint,
        "rules": _rules_asked(setting, soft17),
    }
    show_simulation(game, options, as_json=json)


@app.command()
def meter(
    game: GameName,
    wager: Annotated[str | None, typer.Argument(help="Wager with a meter, if the game has several.")] = None,
    pay_table: OnePayTable = None,
    decks: FreshDecks = None,
    soft17: Soft17 = None,
    side: Side = None,
    setting: Settings = None,
    stake: Annotated[str | None, typer.Option(metavar="$", help="The wager, where the letter scales it.")] = None,
    tables: Annotated[int, typer.Option(help="Linked tables.")] = 1,
    seats: Annotated[str, typer.Option(metavar="N", help="Wagers on the meter in a round, 1 to 7; a mean.")] = "3",
    rounds_per_hour: Annotated[str, typer.Option(metavar="N", help="Rounds of a table with such a wager.")] = "60",
    hours: Annotated[str, typer.Option(metavar="N", help="Hours of play a day.")] = "16",
    contribution: Contribution = None,
    reserve: Reserve = None,
    seed_amount: Annotated[str | None, typer.Option(metavar="$", help="Seed put up by the house.")] = None,
    start: Annotated[str | None, typer.Option(metavar="$", help="What the meter shows first; the seed.")] = None,
    fixed_pays: Annotated[str | None, typer.Option(metavar="meter|tray", help="What fixed pays come from.")] = None,
    years: Annotated[
        str | None, typer.Option(metavar="N", help="Meter-years to simulate, e.g. 1e6 (default 1e5).")
    ] = None,
    seed: Annotated[int, typer.Option(help="The run's seed: the same seed gives the same figures.")] = 1,
    threads: Threads = None,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="Draw it as an SVG picture.")] = None,
    png: Annotated[str | None, typer.Option(metavar="FILE", help="Draw it as a PNG picture.")] = None,
    json: Json = False,
) -> None:
    """A progressive's meter over years of play: awards, time between them, running dry, the house's position."""
    from croupier.cli.meter import show_meter

    source = [f"fixed_pays={fixed_pays}"] if fixed_pays is not None else []
    settings = {
        "pay_table": pay_table,
        "decks": decks,
        "side": side,
        "rules": _rules_asked((setting or []) + source, soft17),
        "stake": stake,
        "tables": tables,
        "seats": seats,
        "rounds_per_hour": rounds_per_hour,
        "hours": hours,
        "contribution": contribution,
        "reserve": reserve,
        "seed": seed_amount,
        "start": start,
    }
    pictures = {"svg": svg, "png": png}
    show_meter(game, wager, settings, years=years, seed=seed, threads=threads, pictures=pictures, as_json=json)


@app.command()
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="outcomes, up-cards, decks, meter-edge, bankroll, convergence, or meter; see docs/plots.md.",
        ),
    ],
    game: GameName,
    wager: Annotated[
        str | None, typer.Argument(help="Wager id; the main wager or the only progressive if left out.")
    ] = None,
    pay_table: OnePayTable = None,
    decks: FreshDecks = None,
    soft17: Soft17 = None,
    side: Side = None,
    setting: Settings = None,
    seed_amount: Annotated[str | None, typer.Option(metavar="$", help="Progressive: seed put up by the house.")] = None,
    contribution: Contribution = None,
    reserve: Reserve = None,
    meter: Annotated[str | None, typer.Option(metavar="$", help="Progressive: what the meter shows now.")] = None,
    rounds: Annotated[str | None, typer.Option(metavar="N", help="Rounds of a bankroll or a convergence.")] = None,
    years: Annotated[str | None, typer.Option(metavar="N", help="Years to simulate a meter.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of a simulation: the same seed gives the same plot; 1.")] = None,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="Draw it as an SVG picture.")] = None,
    png: Annotated[str | None, typer.Option(metavar="FILE", help="Draw it as a PNG picture.")] = None,
    pdf: Annotated[str | None, typer.Option(metavar="FILE", help="Draw it on a page of a PDF.")] = None,
    json: Json = False,
) -> None:
    """A plot of a wager: as a picture, as JSON, or with its values in the terminal."""
    from croupier.cli.plot import show_plot
    from croupier.exact.odds import parse_meter_wish
    from croupier.reports.plots.kinds import PlotWish

    settings = {"seed": seed_amount, "contribution": contribution, "reserve": reserve, "meter": meter}
    request = _request(game, wager, pay_table, decks, side, _rules_asked(setting, soft17))
    wish = PlotWish(meter=parse_meter_wish(settings), rounds=rounds, years=years, seed=seed)
    show_plot(kind, request, wish, files={"svg": svg, "png": png, "pdf": pdf}, as_json=json)


@app.command()
def play(
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar='"WAGER=$ ..."', help="Wagers of a seat; once for each seat. Scripts the round."
        ),
    ] = None,
    cards: Annotated[str, typer.Option(metavar='"6h Ts ..."', help="The cards in the order they leave the shoe.")] = "",
    answers: Annotated[str, typer.Option(metavar='"double stand"', help="The answers in the order asked.")] = "",
    pay_table: PayTables = None,
    setting: Settings = None,
    decks: Annotated[str | None, typer.Option(metavar="N", help="Decks in the shoe.")] = None,
    shuffle: Annotated[
        str | None,
        typer.Option(metavar="fresh|cut-card|continuous", help="How cards are shuffled; by a cut card if left out."),
    ] = None,
    spots: Annotated[int, typer.Option(min=1, max=7, help="How many spots you play yourself.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Deal the same cards every time, for study; at random if left out.")
    ] = None,
    sealed: Annotated[bool, typer.Option("--sealed", help="Deal from a sealed shoe whose seed is revealed.")] = False,
    advice: Annotated[
        bool, typer.Option("--advice", help="With --seat: what every answer to the open question is worth.")
    ] = False,
    json: Json = False,
) -> None:
    """Sit down at a table, or with --seat play one round by script (exit status 3 if it needs more)."""
    from croupier.cli.play import play_script, play_table
    from croupier.rules.choice import parse_settings

    options = {
        "decks": decks,
        "shuffle": shuffle,
        "pay_tables": parse_settings(pay_table or []),
        "rules": parse_settings(setting or []),
    }
    if seat:
        script = (seat, cards, answers)
        raise typer.Exit(play_script(game, options, *script, seed=seed, advice=advice, as_json=json))
    scripted = bool(cards or answers or json)
    play_table(game, options | {"seed": seed}, spots=spots, sealed=sealed, scripted=scripted)


@app.command(
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": [],
    },
    add_help_option=False,
)
def jackpot(context: typer.Context) -> None:
    """A floor with jackpots: init, meters, start, hit, pay, report, verify, backup and more; see jackpot --help."""
    from croupier.extras import needs

    with needs("floor"):
        from croupier.cli.jackpot.verbs import floor_verbs

    # Loaded here and not added to `app`: its two dozen verbs would slow down every other one.
    raise typer.Exit(floor_verbs(context.args or ["--help"], prog_name="croupier jackpot", standalone_mode=False) or 0)


@app.command()
def bench(
    task: Annotated[str, typer.Argument(metavar="[speed]", help="What to measure.")] = "speed",
    json: Json = False,
) -> None:
    """How fast this machine simulates each game."""
    from croupier.cli.bench import show_speeds
    from croupier.errors import unknown

    if task != "speed":
        raise unknown("task", task, ["speed"])
    raise typer.Exit(show_speeds(as_json=json))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="A round's log, as text; - for standard input.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="PATH", help="The game file, if it is your own.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a logged round step by step."""
    from croupier.cli.play import replay_file

    raise typer.Exit(replay_file(file, game, as_json=json))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; any other needs a TLS proxy.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            "--store",
            metavar="FILE|URL",
            help="SQLite file or PostgreSQL URL; floor.db or demo.db.",
        ),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo/--no-demo", help="A floor with play money and well-known cards, made if need be.")
    ] = False,
    play_database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="Where play money and simulations are kept; beside the ledger's if left out. $CROUPIER_PLAY_DATABASE.",
        ),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option("--games", metavar="FOLDER", help="Offer the game of this folder too; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Believe forwarded addresses of this proxy or network; may be repeated."),
    ] = None,
    anchors: Annotated[
        list[str] | None,
        typer.Option(
            "--anchors",
            metavar="FILE|URL",
            envvar="CROUPIER_ANCHORS",
            help="Note the end of the log here, on another disk or database; may be repeated. Checked at start.",
        ),
    ] = None,
    backup_folder: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Make backups here automatically; each is tried before old ones go."),
    ] = None,
    backup_every: Annotated[float, typer.Option(metavar="HOURS", help="Hours between them.")] = 24.0,
    backup_keep: Annotated[int, typer.Option(metavar="N", help="How many are kept.")] = 14,
    backup_key: Annotated[
        str | None, typer.Option(metavar="FILE", help="Encrypt them for the key in this file, made by age-keygen.")
    ] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, metavar="N", help="Processes that share the address, on PostgreSQL; see the docs."),
    ] = 1,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log one JSON object a line.")] = False,
) -> None:
    """Serve a floor: pages for players, dealers and managers, jackpot signs, and the HTTP API at /api/v1."""
    from croupier.extras import needs

    with needs("floor"):
        from croupier.cli.serve import kept_by, serve_floor

    plan = (backup_folder, backup_every, backup_keep, backup_key)
    serve_floor(
        host,
        port,
        database,
        demo=demo,
        games=games or [],
        proxies=proxy or [],
        play_database=play_database,
        keeping=kept_by(anchors or [], *plan),
        log_json=log_json,
        workers=workers,
    )
