"""`croupier jackpot hits`, `audit`, `report`, `verify`, `backup`, `restore` and `software`: reading and keeping the
books."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.jackpot_call import READS, SEES, Call, verb

Begin = Annotated[
    str | None, typer.Option("--from", metavar="TIME", help="From then on, as 2026-11-16T06:00:00-08:00.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Before then.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Pdf = Annotated[str | None, typer.Option("--pdf", metavar="FILE", help="Write it as paper to be signed and filed.")]

KeyFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A key of age-keygen: public to encrypt, secret to decrypt or for both."),
]


def add_book_verbs(group: typer.Typer) -> None:
    """The verbs of this module."""
    for name, options, function in (
        ("hits", SEES, hits),
        ("audit", SEES, audit),
        ("report", SEES, report),
        ("verify", READS, verify),
        ("backup", SEES, backup),
        ("restore", READS, restore),
    ):
        verb(group, name, options)(function)
    group.command("software")(software)


def hits(
    call: Call,
    all_of_them: Annotated[bool, typer.Option("--all", help="All hits, not the last 25.")] = False,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """The last 25 hits, or all of them, the latest first."""
    from croupier.cli.jackpot_reports import Shape, show_hits

    show_hits(call, Shape(csv=csv, pdf=pdf), all_of_them=all_of_them)


def audit(
    call: Call,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this person did or signed.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also every step at the tables.")] = False,
    begin: Begin = None,
    until: Until = None,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """Who changed what: set-up, people, adjustments with both signatures, denied attempts."""
    from croupier.cli.jackpot_reports import Shape, show_audit

    show_audit(call, Shape(csv=csv, pdf=pdf), actor, with_minor=everything, period=(begin, until))


def report(
    call: Call,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="win-page, accrual, reconciliation, deposit, achieved or access.")
    ],
    award: Annotated[str | None, typer.Argument(metavar="AWARD", help="For win-page: which award.")] = None,
    begin: Begin = None,
    until: Until = None,
    last_deposit: Annotated[
        str | None, typer.Option(metavar="TIME", help="For deposit: all that accrued before it was deposited.")
    ] = None,
    account: Annotated[
        str | None, typer.Option(metavar="$", help="For deposit: what is in the jackpot account, if not as recorded.")
    ] = None,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """A report: an award's win page, accrual, reconciliation, the deposit due, hits against odds, who has access."""
    from croupier.cli.jackpot_reports import Shape, Wanted, show_report

    wanted = Wanted(award=award, period=(begin, until), last_deposit=last_deposit, account=account)
    show_report(call, Shape(csv=csv, pdf=pdf), kind, wanted)


def verify(
    call: Call,
    anchor: Annotated[
        str | None, typer.Option(metavar="N:HASH", help="An entry noted elsewhere, as on a printed win page.")
    ] = None,
    anchors: Annotated[
        list[str] | None,
        typer.Option(
            "--anchors",
            metavar="FILE|URL",
            envvar="CROUPIER_ANCHORS",
            help="Where croupier serve --anchors has noted ends of the log; may be repeated.",
        ),
    ] = None,
    code: Annotated[
        str | None, typer.Option(metavar="CODE", help="Of a printed win page: exit status 1 unless an award has it.")
    ] = None,
) -> None:
    """Recompute the chain, every balance and purse, and check the files. Exit status 2 names the first bad entry."""
    from croupier.cli.jackpot_keeping import show_verification

    raise typer.Exit(show_verification(call, anchor, anchors or [], code))


def software(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Print a fingerprint of the installed program. Exit status 1 when its files are not those of its wheel."""
    from dataclasses import asdict

    from croupier.cli.screen import console, print_json
    from croupier.floor.software import installed_software

    found = installed_software()
    if json:
        print_json(asdict(found) | {"is_as_installed": found.is_as_installed})
    else:
        console().print(f"croupier {found.version}, {found.files} files", highlight=False)
        console().print(f"fingerprint {found.fingerprint}", highlight=False, soft_wrap=True)
        console().print(found.sentence, highlight=False)
    raise typer.Exit(1 if found.is_compared and not found.is_as_installed else 0)


def backup(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file, or a folder in which it gets a name.")],
    keep: Annotated[
        int | None, typer.Option(metavar="N", help="In a folder: how many to keep, once the new one has restored.")
    ] = None,
    key_file: KeyFile = None,
) -> None:
    """Write the whole log to a new file, or to a folder and try it there; the floor stays in use."""
    from croupier.cli.jackpot_keeping import write_backup

    write_backup(call, file, keep=keep, key_file=key_file)


def restore(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    key_file: KeyFile = None,
) -> None:
    """Fill an empty store from a backup: all of it or nothing."""
    from croupier.cli.jackpot_keeping import read_backup

    read_backup(call, file, key_file=key_file)
