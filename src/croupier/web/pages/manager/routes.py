"""The game manager: every page of it, by topic."""

from __future__ import annotations

from fastapi import APIRouter

from croupier.web.pages.base import PageRoute
from croupier.web.pages.manager import audit as manager_audit
from croupier.web.pages.manager import by_hand as manager_by_hand
from croupier.web.pages.manager import claims as manager_claims
from croupier.web.pages.manager import floor as manager_floor
from croupier.web.pages.manager import meters as manager_meters
from croupier.web.pages.manager import people as manager_people
from croupier.web.pages.manager import reports as manager_reports
from croupier.web.pages.manager import setup as manager_setup

router = APIRouter(route_class=PageRoute)
for topic in (
    manager_floor,
    manager_claims,
    manager_by_hand,
    manager_meters,
    manager_reports,
    manager_setup,
    manager_people,
    manager_audit,
):
    router.routes.extend(topic.router.routes)
